// Tier: all. One of the slowest.
import { describe, expect, it } from "vitest";
import type { Files } from "../src/index.ts";
import { expectSameBytes, faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

const invitation = {
  "templates/auth.invite.pt-BR.yaml": `kind: MAIL\nsubject: "{{ inviter }}: bem-vindo"\n`,
  "templates/auth.invite.pt-BR.text.liquid": "Olá {{ name }},\r\n\n{{ link }}\n\n",
};
const receipt = {
  "templates/shop.receipt_1-a.de.yaml": `kind: DOCUMENT
title: Beleg
format: HTML
sample:
  total: "12345678901234567890.50"
  lines: [{ name: "Rad: groß", price: 3 }]
  paid: null
`,
  "templates/shop.receipt_1-a.de.liquid":
    "<h1>{{ total }}</h1>{% for l in lines %}{{ l.name }}{% endfor %}",
};
const plain = {
  "templates/export.en.yaml": "kind: DOCUMENT\ntitle: Export\nformat: CSV\n",
  "templates/export.en.liquid": "a,b\n",
};
const wanted: Files = { ...root("templates"), ...invitation, ...receipt, ...plain };

/** What people change beside the documents: a mail, one without HTML, and one that is gone. */
const byHand = `update system.templates set subject = 'Neu: \${NAME}', html = null where key = 'auth.reset' and language = 'de';
  update system.templates set text = text || '  ' where key = 'auth.verify' and language = 'en';
  delete from system.templates where key = 'auth.email_taken' and language = 'de'`;

describe("templates", () => {
  it("are the same bytes after an apply to an empty database", async () => {
    const own = await openConfigurator();
    await own.set(wanted);
    expect(await own.pull()).toMatchObject({ ...invitation, ...plain });
    await own.database.query(byHand);
    const files = await expectSameBytes(own);
    expect(Object.keys(files).filter((path) => path.includes(".de."))).toEqual([
      "templates/auth.email_taken.de.yaml",
      "templates/auth.reset.de.text.liquid",
      "templates/auth.reset.de.yaml",
      "templates/shop.receipt_1-a.de.liquid",
      "templates/shop.receipt_1-a.de.yaml",
    ]);
    expect(files["templates/auth.email_taken.de.yaml"]).toBe("kind: REMOVED\n");
  });

  it("have no document if they are as the service ships them", async () => {
    const own = await openConfigurator();
    expect(Object.keys(await own.pull()).filter((path) => path.startsWith("templates/"))).toEqual(
      [],
    );
  });

  it("return to what the service ships if a change by hand has no document, with a consent", async () => {
    const own = await openConfigurator();
    await own.set(wanted);
    const before = await own.pull();
    await own.database.query(byHand);
    const { "templates/export.en.yaml": _, "templates/export.en.liquid": __, ...fewer } = wanted;
    const plan = await own.plan(fewer);
    expect(stepsOf(plan).toSorted()).toEqual([
      "template.create auth.email_taken (de)",
      "template.delete export (en)",
      "template.update auth.reset (de)",
      "template.update auth.verify (en)",
    ]);
    expect(plan.steps.flatMap(({ needsConsent }) => needsConsent).toSorted()).toEqual([
      "drop:template:auth.reset.de",
      "drop:template:auth.verify.en",
      "drop:template:export.en",
    ]);
    expect(await faultsOf(own.apply(plan))).toEqual([
      expect.stringContaining("needs these consents"),
    ]);
    await own.set(fewer);
    expect(Object.keys(await own.pull())).toEqual(
      Object.keys(before).filter((path) => !path.includes("export.en")),
    );
  });

  it.each<readonly [string, Files, readonly string[]]>([
    [
      "unknown keys and a text in the wrong file",
      {
        "templates/export.en.yaml": "kind: DOCUMENT\ncolour: red\ntitle: Export\nformat: CSV\n",
        "templates/export.en.liquid": "a",
        "templates/auth.reset.de.yaml": "kind: MAIL\nsubject: Neu\ntext: Hallo\n",
      },
      [
        "VALUE_INVALID templates/auth.reset.de.yaml:3:1 The value of text is the content of templates/auth.reset.de.text.liquid",
        "VALUE_INVALID templates/export.en.yaml:2:1 Unknown key colour",
      ],
    ],
    [
      "files that are missing, and files too many",
      {
        "templates/auth.reset.de.yaml": "kind: MAIL\nsubject: Neu\n",
        "templates/export.en.yaml": "kind: DOCUMENT\ntitle: Export\nformat: CSV\n",
        "templates/export.en.liquid": "a",
        "templates/export.en.html.liquid": "a",
        "templates/export.fr.liquid": "a",
      },
      [
        "VALUE_INVALID templates/auth.reset.de.text.liquid:-:- templates/auth.reset.de.yaml needs this file",
        "VALUE_INVALID templates/export.en.html.liquid:-:- templates/export.en.yaml has no such file beside it",
        "VALUE_INVALID templates/export.fr.liquid:-:- It belongs to templates/export.fr.yaml, which is missing",
      ],
    ],
    [
      "a mail and a language that do not exist, and the key of a mail",
      {
        "templates/auth.invite.en-us.yaml": "kind: REMOVED\n",
        "templates/auth.invite.fr.yaml": "# gone\nkind: REMOVED\n",
        "templates/auth.reset.fr.yaml": "title: x\nformat: CSV\nkind: DOCUMENT\n",
        "templates/auth.reset.fr.liquid": "x",
        "templates/shop.reset.fr.yaml": "kind: MAIL\nsubject: x\n",
        "templates/shop.reset.fr.text.liquid": "x",
      },
      [
        "VALUE_INVALID templates/auth.invite.en-us.yaml:1:7 en-us is no language tag, such as de or pt-BR",
        "VALUE_INVALID templates/auth.invite.fr.yaml:2:7 Only a mail that the service ships can be removed; delete this file",
        "VALUE_INVALID templates/auth.reset.fr.yaml:3:7 auth.reset is the key of a mail, not of a document",
        expect.stringContaining(
          "VALUE_INVALID templates/shop.reset.fr.yaml:1:7 There is no mail shop.reset; the mails are auth.reset,",
        ),
      ],
    ],
    [
      "a template that cannot be rendered, a mail without its link, and English that is removed",
      {
        "templates/auth.invite.en.yaml": "kind: REMOVED\n",
        "templates/auth.reset.de.yaml": `kind: MAIL\nsubject: "{{ name"\n`,
        "templates/auth.reset.de.text.liquid": "Hallo\n",
      },
      [
        "CONFLICT templates/auth.invite.en.yaml:1:1 The English template cannot be deleted: it serves all users whose language has no template",
        "VALUE_INVALID templates/auth.reset.de.text.liquid:-:- Must contain the link: {{ link }}",
        expect.stringMatching(
          /^VALUE_INVALID templates\/auth.reset.de.yaml:2:10 Cannot be rendered: /,
        ),
      ],
    ],
  ])("that cannot be applied have faults at their places: %s", async (_name, files, expected) => {
    const own = await openConfigurator();
    const before = await own.pull();
    expect(await faultsOf(own.plan({ ...root("templates"), ...files }))).toEqual(expected);
    expect(await own.pull()).toEqual(before);
  });
});
