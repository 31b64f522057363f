(() => {
  "use strict";
  const slider = document.getElementById("slider");
  const text = document.getElementById("stands");
  if (slider && text) {
    const data = JSON.parse(text.textContent);
    const input = document.getElementById("step");
    const told = document.getElementById("told");
    const cells = [...document.querySelectorAll("#counts dd")];
    const core = document.getElementById("core");
    const row = (values) => {
      const made = document.createElement("tr");
      for (const value of values) {
        made.appendChild(document.createElement("td")).textContent = value;
      }
      return made;
    };
    const values = (at) => {
      const held = new Map();
      const take = ([branch, key, value]) => {
        const name = JSON.stringify([branch, key]);
        if (value === null) held.delete(name);
        else held.set(name, value);
      };
      data.core.forEach(take);
      data.shown.slice(0, at).forEach((step) => step[5].forEach(take));
      return [...held].map(([name, value]) => [...JSON.parse(name), value]).sort();
    };
    const show = () => {
      const at = Number(input.value);
      const [step, sequence, time, what, counts] = at > 0
        ? data.shown[at - 1]
        : [0, 0, "", "before the first step", data.before];
      told.textContent = at > 0
        ? `Step ${step} of ${data.steps}, @${sequence}, ${time}: ${what}`
        : "Before the first step";
      input.setAttribute("aria-valuetext", told.textContent);
      cells.forEach((cell, nth) => {
        const gained = counts[nth] - data.before[nth];
        cell.children[0].textContent = counts[nth];
        cell.children[1].textContent = (gained < 0 ? "\u2212" : "+") + Math.abs(gained);
      });
      if (core) core.replaceChildren(...values(at).map(row));
    };
    input.addEventListener("input", show);
    slider.hidden = false;
    show();
  }
  // On paper nothing can be opened.
  const folded = new Set();
  addEventListener("beforeprint", () => {
    for (const it of document.querySelectorAll("details:not([open])")) {
      folded.add(it);
      it.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const it of folded) it.open = false;
    folded.clear();
  });
})();
