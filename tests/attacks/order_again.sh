#!/bin/sh
# An order that was carried out comes again, and with it one that was changed: another leaf, another reason.
#
#     order_again.sh ORDER CHANGED
set -eu
sed -e 's/^reason .*/reason another/' "$1" >"$2.reason"
# Whatever digit stands there, another.
sed -e '/^leaf [34] 0/{' -e 's/0/f/;b' -e '}' -e 's/^\(leaf [34] \)./\10/' "$1" >"$2.leaf"
