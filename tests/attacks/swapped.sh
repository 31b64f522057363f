#!/bin/sh
# Two segments are put in one another's place. Expects: foreign segment or damage, exit 3.
set -e
cd "$1/.annals/journal"
one=$(ls *.seg | sed -n 1p)
two=$(ls *.seg | sed -n 2p)
mv "$one" held
mv "$two" "$one"
mv held "$two"
