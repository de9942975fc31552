/* What the page does beyond being read: filters, a theme, pictures beside findings, keys. */
(() => {
    "use strict";
    const root = document.documentElement;
    const one = (selector, from = document) => from.querySelector(selector);
    const all = (selector, from = document) => [...from.querySelectorAll(selector)];
    root.classList.add("js");

    /* ---- theme: as the system has it, until somebody says otherwise ---- */
    const theme = one("#theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const remembered = () => {
        try {
            return localStorage.getItem("miscast-theme");
        } catch {
            return null; /* a page from a file may have no memory */
        }
    };
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
    const showTheme = () => theme.setAttribute("aria-pressed", String(isDark()));
    const kept = remembered();
    if (kept === "dark" || kept === "light")
        root.dataset.theme = kept;
    theme.hidden = false;
    theme.addEventListener("click", () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        try {
            localStorage.setItem("miscast-theme", root.dataset.theme);
        } catch {
            /* then only until the page is closed */
        }
        showTheme();
    });
    system.addEventListener("change", showTheme);
    showTheme();

    /* ---- filters ---- */
    const form = one("#filters");
    const findings = all(".finding");
    const texts = new Map();
    const textOf = (finding) => {
        if (!texts.has(finding))
            texts.set(finding, finding.textContent.toLowerCase());
        return texts.get(finding);
    };
    const filter = () => {
        const wanted = new FormData(form);
        const words = wanted.get("text").toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const finding of findings) {
            const fits = ["severity", "rule", "file", "verdict"].every(
                (key) => !wanted.get(key) || finding.dataset[key] === wanted.get(key));
            finding.hidden = !(fits && words.every((word) => textOf(finding).includes(word)));
            shown += !finding.hidden;
        }
        one("#shown").textContent = `${shown} of ${findings.length}`;
        one("#none").hidden = shown > 0;
    };
    if (form) {
        form.hidden = false;
        form.addEventListener("input", filter);
        form.addEventListener("submit", (event) => event.preventDefault());
        form.addEventListener("reset", () => setTimeout(filter));
        filter();
    }

    /* ---- pictures: each is in the page once, and copied to where it is looked at ---- */
    const drawIn = (details) => {
        for (const slot of all(".picture[data-flow]", details)) {
            const flow = one(`#${slot.dataset.flow} .scroll`);
            if (flow && !one(".scroll", slot))
                slot.append(flow.cloneNode(true));
        }
    };
    for (const details of all(".finding > details")) {
        details.addEventListener("toggle", () => details.open && drawIn(details));
        if (details.open)
            drawIn(details);
    }

    /* ---- links into what is folded away, or filtered out ---- */
    const reveal = () => {
        const id = decodeURIComponent(location.hash.slice(1));
        const target = id && document.getElementById(id);
        if (!target)
            return;
        const inner = target.matches(".finding") ? one("details", target) : target;
        for (let at = inner; at; at = at.parentElement) {
            if (at.tagName === "DETAILS")
                at.open = true;
            if (at.matches(".finding"))
                at.hidden = false;
        }
        target.scrollIntoView({ block: target.matches(".line") ? "center" : "start" });
        for (const line of all(".line.target"))
            line.classList.remove("target");
        if (target.matches(".line"))
            target.classList.add("target");
    };
    addEventListener("hashchange", reveal);
    document.addEventListener("click", (event) => {
        const link = event.target.closest('a[href^="#"]');
        const to = link && (link.getAttribute("href"));
        if (to && to === location.hash)
            reveal(); /* there already, but perhaps folded since */
    });
    reveal();

    /* ---- copying a command ---- */
    for (const code of all("code.run")) {
        if (!navigator.clipboard)
            break;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "copy";
        button.textContent = "Copy";
        button.setAttribute("aria-label", `Copy ${code.textContent}`);
        button.addEventListener("click", () => {
            navigator.clipboard.writeText(code.textContent).then(
                () => (button.textContent = "Copied"),
                () => (button.textContent = "Not allowed"));
        });
        code.after(button);
    }

    /* ---- keys: / to search, j and k from finding to finding ---- */
    const step = (by) => {
        const shown = findings.filter((finding) => !finding.hidden);
        const now = shown.findIndex((finding) => finding.contains(document.activeElement));
        const next = shown[now < 0 ? 0 : now + by];
        if (next)
            one("summary", next).focus();
    };
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey ||
            event.target.closest("input, select, textarea"))
            return;
        if (event.key === "/" && form) {
            event.preventDefault();
            one("input", form).focus();
        } else if (event.key === "j") {
            step(1);
        } else if (event.key === "k") {
            step(-1);
        }
    });
})();
