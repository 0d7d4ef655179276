"""NVRx: ft_launcher of nvidia-resiliency-ext as it is, one process a node."""
