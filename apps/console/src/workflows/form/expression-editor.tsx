import { json } from "@codemirror/lang-json";
import { StreamLanguage } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView, MatchDecorator, ViewPlugin } from "@codemirror/view";
import { useRef, useState } from "react";
import { CodeEditor, type CodeEditorProps } from "../../ui/code-editor.tsx";
import { type ExpressionLanguage, expressionCompletion } from "./complete-expression.ts";
import type { Scope } from "./shape.ts";

interface ExpressionEditorProps extends Omit<CodeEditorProps, "language"> {
  readonly kind: ExpressionLanguage;
  /** Returns what can be named. Called when the completion opens. */
  readonly findScope: () => Promise<Scope>;
}

/** An editor of a template, of JSON with templates, or of a condition, with completion. */
export function ExpressionEditor({ kind, findScope, ...editor }: ExpressionEditorProps) {
  const latest = useRef(findScope);
  latest.current = findScope;
  const [language] = useState(() => [
    languageOf(kind),
    expressionCompletion(kind, () => latest.current()),
  ]);
  return <CodeEditor {...editor} language={language} />;
}

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
function languageOf(language: ExpressionLanguage): Extension {
  return languages[language];
}
