#!/usr/bin/env bash
# `./dev on`: the commands of `dev` in a root of another Debian, made by debootstrap and entered
# with chroot. `dev` sources this file and lends it its functions.
set -euo pipefail

# The mirror that this machine's apt takes Debian from, whatever kind of file says so.
debian_mirror() {
  local uri release component
  while read -r uri release component; do
    case $release in
      bookworm | trixie | oldstable | stable | testing | sid)
        [[ $component == main ]] || continue
        # A file that names mirrors, as images of clouds have it.
        if [[ $uri == mirror+file:* ]]; then
          read -r uri _ <"/${uri##mirror+file:}"
        fi
        echo "$uri"
        return ;;
    esac
  done < <(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages')
  die "on: the apt sources of this machine name no mirror of Debian"
}

# A mount namespace of its own: nothing stays mounted, however what is in it ends.
alone=(unshare --mount --propagation private --)

# make_root SUITE PLACE: the Debian of PLACE/root. One whose making was interrupted has the other
# name still.
make_root() {
  local suite=$1 place=$2 mirror
  [[ ! -d $place/root ]] || return 0
  need debootstrap debian-archive-keyring
  mirror=$(debian_mirror)
  rm -rf --one-file-system "$place/unfinished"
  say "making a root of $suite in $place/root"
  echo_and_run "${alone[@]}" debootstrap --variant=minbase "$suite" "$place/unfinished" "$mirror" ||
    die "on: debootstrap failed; $place/unfinished/debootstrap/debootstrap.log may say why"
  # Services that packages bring are not started.
  printf '#!/bin/sh\nexit 101\n' >"$place/unfinished/usr/sbin/policy-rc.d"
  chmod +x "$place/unfinished/usr/sbin/policy-rc.d"
  mv "$place/unfinished" "$place/root"
}

# copy_settings DEBIAN: how names are looked up and packages fetched here holds there, too.
copy_settings() {
  local debian=$1 file certificates=/etc/ssl/certs/ca-certificates.crt
  for file in /etc/resolv.conf /etc/hosts "$certificates"; do
    [[ -e $file ]] || continue
    mkdir -p "$debian${file%/*}"
    cp -L --remove-destination "$file" "$debian$file"
  done
  apt-config dump |
    sed -nE '/^Acquire::(https?|ftp|Retries|ForceIPv[46]|Check-[A-Za-z-]+)[: ]/Ip' \
      >"$debian/etc/apt/apt.conf.d/90-as-outside"
}

# copy_tree TREE FILES: what git tracks or would track, with its times, so that a build there goes
# on from the one before; FILES becomes the list of it. The copy is a repository at the same commit:
# the version is read from it.
copy_tree() {
  local tree=$1 files=$2
  local git=(git -c "safe.directory=$root" -C "$root") list=(ls-files -z --exclude-standard)
  "${git[@]}" rev-parse HEAD >/dev/null || die "on: $root is no checkout of git"
  [[ -d $tree/.git ]] || git init --quiet "$tree" >&2
  git -C "$tree" fetch --quiet --depth 1 "file://$root" HEAD >&2
  git -C "$tree" reset --quiet FETCH_HEAD
  comm -z -23 <("${git[@]}" "${list[@]}" --cached --others | sort -zu) \
    <("${git[@]}" "${list[@]}" --deleted | sort -zu) >"$files"
  comm -z -13 "$files" <(git -C "$tree" "${list[@]}" --cached --others | sort -zu) |
    (cd "$tree" && xargs -0r rm -f --)
  tar -C "$root" --format=posix --null --verbatim-files-from -T "$files" -cf - |
    tar -C "$tree" --no-same-owner -xf -
}

# on_suite SUITE COMMAND [ARGS]
on_suite() {
  local suite=${1:-} place inside=/aftershock
  [[ $suite == trixie || $suite == bookworm ]] ||
    die "on: '$suite' is none of the Debians trixie and bookworm"
  (($# > 1)) || die "on: a command is missing behind $suite; e.g. ./dev on $suite test"
  shift
  ((EUID == 0)) || die "on: root is needed to make the root of $suite and to enter it"
  place=$root/build-on-$suite
  mkdir -p "$place"
  exec 9>"$place/.dev-lock"
  flock -n 9 || { say "waiting for another start in $place"; flock 9; }
  make_root "$suite" "$place"
  copy_settings "$place/root"
  mkdir -p "$place/root$inside"
  copy_tree "$place/root$inside" "$place/files"
  exec 9>&-
  # Relative names of files are meant from where we are.
  [[ $PWD/ != "$root"/* || ! -d $place/root$inside${PWD#"$root"} ]] || inside+=${PWD#"$root"}
  # The shell makes the mounts and gives way: signals and the exit code are the command's own.
  # shellcheck disable=SC2016
  exec "${alone[@]}" bash -euc '
    for tree in proc sys dev; do mount --rbind "/$tree" "$1/$tree"; done
    exec chroot "$1" env -u TMPDIR -u XDG_RUNTIME_DIR -u LC_ALL HOME=/root LANG=C.UTF-8 \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      bash -euc "cd \"\$1\"; shift; exec /aftershock/dev \"\$@\"" on "${@:2}"' \
    on "$place/root" "$inside" "$@"
}
