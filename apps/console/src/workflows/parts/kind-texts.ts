import type { Language } from "../../words/languages.ts";

/** Returns a text of the service in a language; a text without words stays English. */
type Translate = (text: string) => string;

/** Loads the words for titles and helps of kinds, which the service has in English. */
export async function loadKindTexts(language: Language): Promise<Translate> {
  if (language === "de") {
    const { workflowKinds } = await import("../../words/de/workflow-kinds.ts");
    return (text) => (Object.hasOwn(workflowKinds, text) ? (workflowKinds[text] ?? text) : text);
  }
  if (language === "en") return (text) => text;
  const { pseudo } = await import("../../words/pseudo.ts");
  return (text) => String(pseudo({ text }).text);
}

const textNames: ReadonlySet<string> = new Set(["title", "description", "help"]);

/** Returns kinds with their titles and helps translated, in every schema inside. */
export function translateKinds<Kinds>(kinds: Kinds, translate: Translate): Kinds {
  // JSON of the service, with the same members in the result.
  return translated(kinds, translate) as Kinds;
}

function translated(value: unknown, translate: Translate): unknown {
  if (Array.isArray(value)) return value.map((item) => translated(item, translate));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      textNames.has(name) && typeof inner === "string"
        ? translate(inner)
        : translated(inner, translate),
    ]),
  );
}
