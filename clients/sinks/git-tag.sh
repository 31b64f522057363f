#!/bin/sh
# A sink of checkpoints: a commit and a tag of the checkpoint in a git repository of its own, pushed where there is a
# remote. Whoever has the repository has the checkpoint, and git says since when.
#
#   [checkpoint]
#   sink = "CHECKPOINTS=$HOME/checkpoints /path/to/git-tag.sh"
set -eu
cd "${CHECKPOINTS:?a folder that git init made}"
cat >"$ANNALS_JOURNAL"
size=$(sed -n 2p "$ANNALS_JOURNAL")
git add "$ANNALS_JOURNAL"
git -c user.name=annals -c user.email=annals@localhost commit -q -m "$ANNALS_JOURNAL: $size records"
git tag "$ANNALS_JOURNAL/$size"
if git remote | grep -q .; then git push -q --tags "$(git remote | head -n 1)" HEAD; fi
