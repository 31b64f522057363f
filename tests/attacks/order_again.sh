#!/bin/sh
# An order that was carried out comes again, and with it one that was changed: another leaf, another reason.
#
#     order_again.sh ORDER CHANGED
set -eu
sed -e 's/^reason .*/reason another/' "$1" >"$2.reason"
sed -e 's/^leaf 3 ./leaf 3 0/' -e 's/^leaf 4 ./leaf 4 1/' "$1" >"$2.leaf"
