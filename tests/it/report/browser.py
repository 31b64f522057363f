"""Opens a page in a headless Chromium and prints as JSON what is seen there: python3 browser.py CHROMIUM PAGE SHOTS

Nothing but Python and the browser: it is spoken to over two pipes. One browser, one page, a few seconds.
"""

import base64
import fcntl
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-default-apps --disable-extensions --disable-dev-shm-usage
--no-proxy-server --hide-scrollbars --remote-debugging-pipe""".split()
WAIT_S = 20

# What a rule was broken by is noted by the page itself, before anything of it runs.
WATCH = """
window.broken = [];
document.addEventListener('securitypolicyviolation', (it) => broken.push(it.violatedDirective + ' ' + it.blockedURI));
window.addEventListener('error', (it) => broken.push('error: ' + it.message));
"""

# The contrast of every text that is seen against what is painted behind it, and the least of them.
CONTRAST = """
(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || [0, 0, 0]).map(Number);
  const part = (value) => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (it) => {
    for (; it; it = it.parentElement) {
      const colour = parse(getComputedStyle(it).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  let least = { ratio: 99 }, texts = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), of = walker.currentNode.parentElement;
    if (!text || of.closest('script, style, svg, .unseen, .skip') || !of.checkVisibility()) continue;
    const one = light(parse(getComputedStyle(of).color)), other = light(behind(of));
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    texts += 1;
    if (ratio < least.ratio) least = { ratio, text: text.slice(0, 60), of: of.tagName + '.' + of.className };
  }
  return { ...least, texts, ground: getComputedStyle(document.body).backgroundColor };
})()
"""

SEEN = """
[...document.querySelectorAll('h1, header > .outcome, .tile b, main > section > h2, .warning')].map((it) => {
  const at = it.getBoundingClientRect();
  return { what: it.textContent, of: it.parentElement.id, x: at.x, y: at.y + scrollY, width: at.width,
    height: at.height, seen: it.checkVisibility({ opacityProperty: true, visibilityProperty: true }) };
})
"""

STAND = """
({ told: document.getElementById('told').textContent, value: Number(document.getElementById('step').value),
   max: Number(document.getElementById('step').max),
   counts: Object.fromEntries([...document.querySelectorAll('#counts > div')].map((it) =>
     [it.querySelector('dt').textContent, Number(it.querySelector('dd b').textContent)])),
   core: [...document.querySelectorAll('#core tr')].map((row) => [...row.children].map((it) => it.textContent)) })
"""

FOCUS = """
(() => { const it = document.activeElement, at = it.getBoundingClientRect(), style = getComputedStyle(it);
  return { tag: it.tagName, id: it.id, outline: style.outlineStyle, width: parseFloat(style.outlineWidth),
    href: it.getAttribute('href'), inside: at.x >= 0 && at.right <= innerWidth }; })()
"""

JUMP = """
({ place: location.hash, seen: document.querySelector(location.hash).checkVisibility(),
   y: document.querySelector(location.hash).getBoundingClientRect().y })
"""

OPEN = "document.querySelectorAll('details').forEach((it) => { it.open = true; })"

WIDE = """
({ page: document.documentElement.scrollWidth, screen: innerWidth, wide: [...document.querySelectorAll('body *')]
   .filter((it) => it.getBoundingClientRect().right > innerWidth + 1 && !it.closest('.unseen, .skip'))
   .map((it) => it.tagName + '.' + it.className).slice(0, 5) })
"""

SMUGGLED = """
(() => { const it = document.createElement('script'); it.textContent = 'window.ran = true';
  const image = new Image(); image.src = 'http://127.0.0.1:1/x.png';
  document.body.append(it, image); return window.ran === true; })()
"""


class Browser:
    def __init__(self, program):
        self.folder = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()
        # High enough that neither is where the browser looks for the other.
        to_read, to_write = (fcntl.fcntl(it, fcntl.F_DUPFD, 20) for it in (to_read, to_write))

        def place():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        words = [program, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        with open(os.devnull, "wb") as nowhere:
            self.process = subprocess.Popen(words, preexec_fn=place, close_fds=False, stdout=nowhere, stderr=nowhere)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session, self.events = b"", 0, None, []

    def message(self, until):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.of], [], [], max(0, until - time.time()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.of, 1 << 16)
            if not more:
                raise EOFError("the browser is gone")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **params):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": params}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.to, json.dumps(asked).encode() + b"\0")
        until = time.time() + WAIT_S
        while True:
            answer = self.message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        until = time.time() + WAIT_S
        while not any(it.get("method") == method for it in self.events):
            self.events.append(self.message(until))

    def run(self, script):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def key(self, name, code, times=1):
        for _ in range(times):
            for kind in ("rawKeyDown", "keyUp"):
                self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def screen(self, width, height, phone=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def look(self, scheme, media=""):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", media=media, features=features)

    def open(self, address):
        kept = [it for it in self.events if it.get("method") != "Page.loadEventFired"]
        self.events[:] = kept
        self.ask("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def shot(self, path):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def observe(browser, page, shots):
    seen = {}
    target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Network", "Log"):
        browser.ask(f"{domain}.enable")
    browser.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    address = f"file://{page}"
    browser.screen(1200, 900)
    browser.look("light")
    browser.open(address)
    seen["places"] = browser.run(SEEN)
    browser.shot(os.path.join(shots, "light.png"))
    # By keys alone: the first is the way past the head, then down to the slider.
    browser.key("Tab", 9)
    seen["first"] = browser.run(FOCUS)
    seen["focus"] = []
    for _ in range(200):
        browser.key("Tab", 9)
        seen["focus"].append(browser.run(FOCUS))
        if seen["focus"][-1]["id"] == "step":
            break
    seen["stands"] = [browser.run(STAND)]
    for key, code, times in (("ArrowLeft", 37, 1), ("ArrowLeft", 37, 4), ("ArrowRight", 39, 2), ("Home", 36, 1)):
        browser.key(key, code, times)
        seen["stands"].append(browser.run(STAND))
    browser.run("document.querySelector('details.file > summary, details > summary').focus()")
    before = browser.run("document.activeElement.parentElement.open")
    browser.ask("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    browser.ask("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    seen["fold"] = [before, browser.run("document.activeElement.parentElement.open")]
    # Where a failure names a call one goes there, folded or not.
    browser.run("document.querySelectorAll('.calls').forEach((it) => { it.open = false; })")
    browser.run("document.querySelector('#failures a').click()")
    seen["jump"] = browser.run(JUMP)
    browser.run(OPEN)
    seen["light"] = browser.run(CONTRAST)
    browser.look("dark")
    browser.run("scrollTo(0, 0)")
    seen["dark"] = browser.run(CONTRAST)
    browser.shot(os.path.join(shots, "dark.png"))
    browser.screen(360, 740, phone=True)
    seen["phone"] = browser.run(WIDE)
    browser.shot(os.path.join(shots, "phone.png"))
    browser.screen(1200, 900)
    browser.look("light")
    browser.open(address)
    browser.look("light", "print")
    seen["print"] = {
        "nav": browser.run("document.querySelector('nav').checkVisibility()"),
        "slider": browser.run("document.getElementById('slider').checkVisibility()"),
        "ground": browser.run("getComputedStyle(document.body).backgroundColor"),
    }
    browser.look("dark", "")
    pdf = browser.ask("Page.printToPDF", printBackground=False, generateDocumentOutline=True, generateTaggedPDF=True)
    pdf = base64.b64decode(pdf["data"])
    with open(os.path.join(shots, "page.pdf"), "wb") as file:
        file.write(pdf)
    seen["pdf"] = {
        "pages": len(re.findall(rb"/Type ?/Page\b(?!s)", pdf)),
        "titles": [it.decode("latin-1") for it in re.findall(rb"/Title \(([^)]*)\)", pdf)],
        "opened": browser.run("document.querySelectorAll('details[open]').length"),
    }
    seen["broken"] = browser.run("broken")
    # Without its script.
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.look("light")
    browser.open(address)
    seen["bare"] = {
        "places": browser.run(SEEN),
        "slider": browser.run("document.getElementById('slider').checkVisibility()"),
        "told": browser.run("document.getElementById('told').textContent"),
    }
    requests = [it["params"]["request"]["url"] for it in browser.events if it.get("method") == "Network.requestWillBeSent"]
    seen["requests"] = sorted(set(requests))
    told = [it["params"]["entry"] for it in browser.events if it.get("method") == "Log.entryAdded"]
    thrown = [it for it in browser.events if it.get("method") == "Runtime.exceptionThrown"]
    said = [it for it in browser.events if it.get("method") == "Runtime.consoleAPICalled"]
    seen["log"] = [it["text"] for it in told]
    seen["thrown"] = len(thrown) + len(said)
    # What somebody had smuggled in would not run, nor fetch.
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    browser.open(address)
    seen["smuggled"] = browser.run(SMUGGLED)
    until = time.time() + WAIT_S
    while len(browser.run("broken")) < 2 and time.time() < until:
        time.sleep(0.02)
    seen["refused"] = sorted(browser.run("broken"))
    return seen


def main():
    program, page, shots = sys.argv[1:]
    browser = Browser(program)
    try:
        print(json.dumps(observe(browser, os.path.abspath(page), shots)))
    finally:
        browser.end()


if __name__ == "__main__":
    main()
