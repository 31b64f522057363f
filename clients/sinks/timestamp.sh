#!/bin/sh
# A sink of checkpoints: a time stamp over the checkpoint by an authority (RFC 3161), kept beside it.
# To check one: openssl ts -verify -data CHECKPOINT -in CHECKPOINT.tsr -CAfile AUTHORITY.pem
#
#   [checkpoint]
#   sink = "CHECKPOINTS=$HOME/checkpoints TSA=https://… /path/to/timestamp.sh"
set -eu
cd "${CHECKPOINTS:?a folder}"
cat >"$ANNALS_JOURNAL.new"
size=$(sed -n 2p "$ANNALS_JOURNAL.new")
name="$ANNALS_JOURNAL-$size"
mv "$ANNALS_JOURNAL.new" "$name"
openssl ts -query -data "$name" -sha256 -cert -out "$name.tsq" 2>/dev/null
case "${TSA:?the address of a time-stamping authority, or a command for one}" in
http*) curl -sSf -H 'Content-Type: application/timestamp-query' --data-binary "@$name.tsq" -o "$name.tsr" "$TSA" ;;
*) $TSA "$name.tsq" "$name.tsr" ;;
esac
openssl ts -reply -in "$name.tsr" -text 2>/dev/null | grep -q '^Status: Granted'
rm "$name.tsq"
