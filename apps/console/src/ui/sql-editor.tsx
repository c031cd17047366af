import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { PostgreSQL, type SQLNamespace, schemaCompletionSource, sql } from "@codemirror/lang-sql";
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useRef, useState } from "react";
import { CodeEditor, type CodeEditorProps } from "./code-editor.tsx";

/** A part of a text. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** What is selected, and the statement at the cursor. */
export interface SqlSelection {
  readonly selected: TextRange;
  readonly statement: TextRange | undefined;
}

/** Names that the completion offers. */
export interface SqlNames {
  /** Columns by table by schema. */
  readonly schemas: SQLNamespace;
  /** The schema whose tables are offered without its name. */
  readonly defaultSchema: string;
  /** The table whose columns are offered without its name. */
  readonly defaultTable?: string;
}

interface SqlEditorProps extends Omit<CodeEditorProps, "language"> {
  /** Returns the names that a text may need. Called when the completion opens. */
  readonly findNames: (text: string) => Promise<SqlNames>;
  readonly onSelect?: (selection: SqlSelection) => void;
}

/** An editor of PostgreSQL's SQL with completion: arrows choose, Enter accepts the choice, and is a new line without one. */
export function SqlEditor({ findNames, onSelect, ...editor }: SqlEditorProps) {
  const latest = useRef({ findNames, onSelect });
  latest.current = { findNames, onSelect };
  const [language] = useState((): Extension => {
    const complete = async (context: CompletionContext) => {
      const names = await latest.current.findNames(context.state.doc.toString());
      if (context.aborted) return null;
      const { schemas: schema, ...defaults } = names;
      return schemaCompletionSource({ dialect: PostgreSQL, schema, ...defaults })(context);
    };
    return [
      sql({ dialect: PostgreSQL }),
      PostgreSQL.language.data.of({ autocomplete: complete }),
      autocompletion({ selectOnOpen: false, icons: false, defaultKeymap: false }),
      keymap.of(completionKeymap),
      EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
        if (docChanged || selectionSet) latest.current.onSelect?.(selectionOf(state));
      }),
    ];
  });
  return <CodeEditor {...editor} language={language} />;
}

function selectionOf(state: EditorState): SqlSelection {
  const { from, to, head } = state.selection.main;
  const { topNode } = syntaxTree(state);
  const node = topNode.childBefore(head + 1) ?? topNode.childAfter(head);
  return {
    selected: { from, to },
    statement: node === null ? undefined : { from: node.from, to: node.to },
  };
}
