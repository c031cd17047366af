import { describe, expect, it } from "vitest";
import { renderLiquid, type TextFormat } from "../src/index.ts";

const render = (source: string, values: object, format: TextFormat = "TEXT") =>
  renderLiquid(source, { ...values }, { format, memoryMax: 100_000, charactersMax: 1000 });

describe("a template", () => {
  it("escapes values in HTML unless the template says raw", async () => {
    const source = "<p>{{ a }}{{ a | raw }}</p>";
    expect(await render(source, { a: "<b>" }, "HTML")).toBe("<p>&lt;b&gt;<b></p>");
  });

  it("writes values as they are into a text", async () => {
    expect(await render("{{ a }} {{ missing }}.", { a: '<b>"' })).toBe('<b>" .');
  });

  it("quotes values in CSV and marks formulas as text", async () => {
    const values = {
      rows: [
        { a: 'x;"y"', b: "=1+1" },
        { a: null, b: -1.5 },
        { a: "-12.50", b: { c: 1 } },
      ],
    };
    const source = "{% for row in rows %}{{ row.a }},{{ row.b }}\n{% endfor %}";
    expect(await render(source, values, "CSV")).toBe(
      `"x;""y""","'=1+1"\n,-1.5\n-12.50,"{""c"":1}"\n`,
    );
  });

  it("lets the process do its other work while it renders, alone and beside others", async () => {
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const items = Array.from({ length: 5_000 }, (_, n) => ({
      name: `item ${n}`,
      price: n,
      tags: ["a"],
    }));
    const source =
      "{% for i in items %}{% if i.price > 1 %}{{ i.name | upcase }} {{ i.price | plus: 1 }}{% for t in i.tags %}{{ t }}{% endfor %}\n{% endif %}{% endfor %}";
    const bounds = { format: "HTML", memoryMax: 10_000_000, charactersMax: 5_000_000 } as const;
    const texts = await Promise.all([1, 2, 3].map(() => renderLiquid(source, { items }, bounds)));
    isCounting = false;
    expect(texts.map((text) => text.split("\n").length)).toEqual([4_999, 4_999, 4_999]);
    // Without turns of its own, a rendering leaves at most one to others.
    expect(turns).toBeGreaterThan(10);
  });

  it("ends at its bound of processor time", async () => {
    const source =
      "{% for a in (1..3000) %}{% for b in (1..3000) %}{% assign c = b %}{% endfor %}{% endfor %}";
    const bounds = { format: "TEXT", memoryMax: 1e9, charactersMax: 1e9 } as const;
    await expect(renderLiquid(source, {}, bounds)).rejects.toThrow("render limit exceeded");
  });

  it("never parses a value as a template", async () => {
    expect(await render("{{ a }}", { a: "{{ b }}", b: "secret" })).toBe("{{ b }}");
  });

  it("reads own properties of its values only, and no file", async () => {
    expect(await render("{{ a.constructor }}{{ a.__proto__ }}", { a: {} })).toBe("");
    await expect(render("{% include '/etc/passwd' %}", {})).rejects.toThrow();
    await expect(render("{% render 'package.json' %}", {})).rejects.toThrow();
    await expect(render("{% layout 'package.json' %}", {})).rejects.toThrow();
  });

  it.each([
    ["a loop without end", "{% for i in (1..100000000) %}x{% endfor %}"],
    ["a long result", "{% for i in (1..2000) %}x{% endfor %}"],
    ["a long result of one value", "{{ long }}"],
    [
      "a text that doubles",
      "{% assign a = 'xx' %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}",
    ],
    [
      "a captured text that doubles",
      "{% assign a = 'xx' %}{% for i in (1..99) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}",
    ],
    ["a long template", "x".repeat(100_001)],
    ["an unknown filter", "{{ a | no_such }}"],
  ])("is rejected with %s", async (_, source) => {
    await expect(render(source, { long: "x".repeat(1001) })).rejects.toThrow();
  });
});
