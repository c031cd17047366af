import { useRef, useState } from "react";
import { CodeEditor, type CodeEditorProps } from "../../ui/code-editor.tsx";
import { type ExpressionLanguage, expressionCompletion } from "./complete-expression.ts";
import { languageOf } from "./expression-language.ts";
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
