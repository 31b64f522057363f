#!/bin/sh
# An older copy of the project's journal is put in its place. Expects: cut, exit 6.
set -e
rm -r "$1/.annals/journal" "$1/.annals/look.json"
cp -a "$1/../before/.annals/journal" "$1/.annals/journal"
