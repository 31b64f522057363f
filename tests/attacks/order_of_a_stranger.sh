#!/bin/sh
# Somebody else orders everything to go: another key of the same name, and leaves that are there.
#
#     order_of_a_stranger.sh PROJECT PROGRAM ORDER
set -eu
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cp -a "$1" "$work/copy"
export HOME="$work/home"
mkdir "$HOME"
cd "$work/copy"
"$2" key new --name me@here >"$work/key"
"$2" redact @3 @4 --reason 'to hide it' --yes --write-order "$3" >"$work/said"
