import { json } from "@codemirror/lang-json";
import { StreamLanguage } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView, MatchDecorator, ViewPlugin } from "@codemirror/view";
import type { ExpressionLanguage } from "./complete-expression.ts";

const placeholders = new MatchDecorator({
  regexp: /\{\{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\}\}/g,
  decoration: Decoration.mark({ class: "cm-placeholder-path" }),
});

/** Marks `{{…}}` in any text. */
const markPlaceholders: Extension = [
  ViewPlugin.define(
    (view) => {
      const marks = {
        all: placeholders.createDeco(view),
        update: (update: Parameters<MatchDecorator["updateDeco"]>[0]) => {
          marks.all = placeholders.updateDeco(update, marks.all);
        },
      };
      return marks;
    },
    { decorations: (marks) => marks.all },
  ),
  EditorView.theme({
    ".cm-placeholder-path, .cm-placeholder-path *": { color: "var(--tone-violet)" },
  }),
];

const cel = StreamLanguage.define<null>({
  name: "cel",
  startState: () => null,
  token: (stream) => {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^[rR]?"(?:[^"\\]|\\.)*"?/) || stream.match(/^[rR]?'(?:[^'\\]|\\.)*'?/)) {
      return "string";
    }
    if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?/)) return "number";
    if (stream.match(/^(?:true|false|null)\b/)) return "bool";
    if (stream.match(/^in\b/)) return "keyword";
    if (stream.match(/^[A-Za-z_]\w*/)) return "variableName";
    stream.next();
    return "punctuation";
  },
});

const languages: Readonly<Record<ExpressionLanguage, Extension>> = {
  TEMPLATE: markPlaceholders,
  JSON: [json(), markPlaceholders],
  CEL: cel,
};

/** Returns the colors of a language. */
export function languageOf(language: ExpressionLanguage): Extension {
  return languages[language];
}
