// What must hold for a page of a report in a browser: browser.mjs PLAYWRIGHT CHROMIUM PAGE [SHOTS]
// SHOTS: a folder that gets pictures of it.
import assert from "node:assert/strict";

const [playwright, executablePath, path, shots] = process.argv.slice(2);
const { chromium } = await import(`${playwright}/index.mjs`);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const said = [];

async function open({ width = 1280, height = 900, colorScheme = "light", javaScriptEnabled = true, context } = {}) {
    context ??= await browser.newContext({ viewport: { width, height }, colorScheme, javaScriptEnabled });
    const page = await context.newPage();
    page.setDefaultTimeout(10000);
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("request", (request) => request.url().startsWith("file:") || said.push(request.url()));
    await page.goto(`file://${path}`);
    return page;
}

async function shoot(page, name, options = {}) {
    if (shots)
        await page.screenshot({ path: `${shots}/${name}.png`, ...options });
}

const shownFindings = (page) => page.locator(".finding:visible").count();

const tests = {
    async "a finding can be clicked through"(page) {
        const finding = page.locator(".finding", { hasText: "linear needs one dtype" }).first();
        await finding.locator("summary").first().click();
        assert(await finding.locator(".source mark.at").first().isVisible());
        assert(await finding.locator(".picture svg.flow .wrong").first().isVisible(), "no picture");
        const step = finding.locator(".path a", { hasText: "weights.c" }).first();
        const to = await step.getAttribute("href");
        await step.click();
        const line = page.locator(`[id="${to.slice(1)}"]`);
        assert(await line.isVisible(), "the source stays folded");
        assert.match(await line.textContent(), /weight|mc_half|mc_randn|return/);
        assert.equal(await page.locator(".line.target").count(), 1);
        await page.goBack();
        await shoot(page, "after-click");
    },
    async "a node leads to its finding"(page) {
        await page.locator("#flows h3", { hasText: "story_forward()" }).click();
        const node = page.locator("#flows .flow-of[open] a:has(.wrong)").first();
        const to = (await node.getAttribute("href")).slice(1);
        await node.click();
        assert(await page.locator(`[id="${to}"] .body`).isVisible());
    },
    async "filters and search"(page) {
        const all = await shownFindings(page);
        assert(all >= 5, `${all} findings`);
        await page.selectOption("select[name=severity]", "error");
        assert(await shownFindings(page) < all && await shownFindings(page) > 0);
        assert.equal(await page.textContent("#shown"), `${await shownFindings(page)} of ${all}`);
        await page.click("button[type=reset]");
        await page.waitForFunction((n) => document.querySelector("#shown").textContent === `${n} of ${n}`, all);
        for (const [name, value] of [["rule", "matmul-dtype"], ["file", "forward.c"], ["verdict", "confirmed"]]) {
            await page.selectOption(`select[name=${name}]`, value);
            const different = page.locator(`.finding:visible:not([data-${name}="${value}"])`);
            assert.equal(await different.count(), 0, name);
        }
        assert.equal(await shownFindings(page), 1);
        await page.click("button[type=reset]");
        await page.fill("input[name=text]", "EXP saved");
        assert.equal(await shownFindings(page), 1);
        await page.fill("input[name=text]", "no such words");
        assert.equal(await shownFindings(page), 0);
        assert(await page.locator("#none").isVisible());
    },
    async "light, dark, and remembered"(page) {
        const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await colour();
        await page.click("#theme");
        const dark = await colour();
        assert.notEqual(light, dark);
        assert.equal(await page.getAttribute("#theme", "aria-pressed"), "true");
        await page.reload();
        assert.equal(await colour(), dark);
        await page.click("#theme");
        assert.equal(await colour(), light);
        const system = await open({ colorScheme: "dark" });
        assert.equal(await system.evaluate(() => getComputedStyle(document.body).backgroundColor), dark);
    },
    async "by keyboard"(page) {
        await page.keyboard.press("/");
        assert.equal(await page.evaluate(() => document.activeElement.name), "text");
        await page.keyboard.press("Escape");
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        const second = page.locator(".finding > details").nth(1);
        assert(!(await second.evaluate((details) => details.open)));
        await page.keyboard.press("Enter");
        assert(await second.evaluate((details) => details.open));
        // Everything that can be clicked can be reached, and says what it is.
        const nameless = await page.evaluate(() =>
            [...document.querySelectorAll("a, button, input, select")].filter((e) =>
                !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).length);
        assert.equal(nameless, 0);
    },
    async "the chart"(page) {
        assert.equal(await page.locator(".chart circle").count(), 2);
        await page.locator(".numbers summary").click();
        assert.equal(await page.locator("#history tbody tr").count(), 2);
    },
    async "letters stay in their boxes"(page) {
        await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
        const out = await page.evaluate(() => [...document.querySelectorAll("#flows .node")].filter((node) => {
            const box = node.querySelector(".box").getBBox();
            return [...node.querySelectorAll("text")].some((text) => {
                const t = text.getBBox();
                return t.x < box.x || t.x + t.width > box.x + box.width || t.y + t.height > box.y + box.height + 2;
            });
        }).map((node) => node.textContent));
        assert.deepEqual(out, []);
    },
};

async function contrast(page) {
    return page.evaluate(() => {
        const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
        const light = ([r, g, b]) => {
            const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * x + 0.7152 * y + 0.0722 * z;
        };
        const behind = (element) => {
            for (let at = element; at; at = at.parentElement) {
                const colour = parse(getComputedStyle(at).backgroundColor);
                if (colour.length < 4 || colour[3] === 1)
                    return colour;
            }
            return [255, 255, 255];
        };
        const bad = [];
        for (const element of document.querySelectorAll("body *:not(script):not(style):not(svg):not(svg *)")) {
            const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
            if (!own || !element.getClientRects().length)
                continue;
            const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5)
                bad.push(`${element.className || element.tagName} ${ratio.toFixed(2)}: ${element.textContent.slice(0, 30)}`);
        }
        return [...new Set(bad)].slice(0, 10);
    });
}

let failed = 0;
async function run(name, test) {
    try {
        await test();
    } catch (error) {
        failed++;
        console.log(`${name}: ${error.message}`);
    }
}

for (const [name, test] of Object.entries(tests))
    await run(name, async () => test(await open()));
for (const width of [1280, 380])
    for (const colorScheme of ["light", "dark"]) {
        const page = await open({ width, colorScheme });
        await shoot(page, `${width}-${colorScheme}`);
        await run(`nothing sticks out at ${width}, ${colorScheme}`, async () => {
            const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.equal(await over(), 0, "as it opens");
            await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
            assert.equal(await over(), 0, "all unfolded");
            assert.deepEqual(await contrast(page), []);
        });
        await shoot(page, `${width}-${colorScheme}-all`, { fullPage: true });
    }
await run("without its script", async () => {
    const page = await open({ javaScriptEnabled: false });
    assert(await page.locator(".finding .message").first().isVisible());
    assert(!(await page.locator("#filters").isVisible()));
    const second = page.locator(".finding").nth(1);
    await second.locator("summary").first().click();
    assert(await second.locator(".source").first().isVisible());
    assert(await second.locator(".picture a").isVisible());
});
await run("nothing was said, and nothing fetched", async () => assert.deepEqual(said, []));
await browser.close();
console.log(failed ? `${failed} failed` : "all hold");
process.exit(failed ? 1 : 0);
