"""NVIDIA's resiliency extension: its ft_launcher with all that it is made of, hosted."""
import os

# Before torch is imported: nothing of it may look for devices, or for where it was started.
os.environ.update(CUDA_VISIBLE_DEVICES="", NVRX_DISABLE_RANK_MONITORS="1",
                  TORCH_DISABLE_SHARE_RDZV_TCP_STORE="1")
for _name in [name for name in os.environ if name.startswith(("SLURM_", "TORCHELASTIC_"))]:
    del os.environ[_name]
