import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { classes } from "./classes.ts";

/** A fault at a place of the text. */
export interface CodeFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly faults: readonly CodeFault[];
  readonly describedBy?: string | undefined;
  readonly autoFocus?: boolean;
  readonly isReadOnly?: boolean;
  /** A part that is selected and gets the focus each time another object is given. */
  readonly target?: { readonly from: number; readonly to: number } | undefined;
  /** The language of the text with its aids, JSON by default. It stays that of the first time. */
  readonly language?: Extension;
  /** As a page with line numbers (the default), as a field that grows with its text, or as a field of one line. */
  readonly shape?: "PAGE" | "TEXT" | "LINE";
  /** Shown while the text is empty. */
  readonly placeholder?: string | undefined;
}

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.keyword], color: "var(--tone-blue)" },
  { tag: tags.string, color: "var(--tone-green)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--tone-violet)" },
  { tag: tags.punctuation, color: "var(--ink-2)" },
  { tag: tags.comment, color: "var(--ink-3)" },
]);

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "12px", lineHeight: "18px" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    ...{ backgroundColor: "var(--sunken)", color: "var(--ink-3)" },
    ...{ border: "none", borderRight: "1px solid var(--line)" },
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--accent-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    ...{ backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent-line)" },
  },
  // The cursor of an editor without the focus is not shown, so its brackets are not either.
  "&:not(.cm-focused) .cm-matchingBracket": { backgroundColor: "transparent", outline: "none" },
  ".cm-tooltip": {
    ...{ backgroundColor: "var(--surface)", color: "var(--ink)" },
    border: "1px solid var(--line-strong)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    ...{ backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
  },
});

/** The look of an editor that is a field of a form. */
const fieldTheme = EditorView.theme({
  "&": { height: "auto", maxHeight: "240px", backgroundColor: "transparent" },
  ".cm-content": { padding: "5px 0" },
  ".cm-line": { padding: "0 10px" },
  ".cm-placeholder": { color: "var(--ink-3)" },
  ".cm-tooltip-autocomplete .cm-completionDetail": { color: "var(--ink-2)", fontStyle: "normal" },
});

/** Joins the lines of a text that enters a field of one line. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  const insert = joinLines(transaction.newDoc.toString());
  return { changes: { from: 0, to: transaction.startState.doc.length, insert } };
});

const doNothing = () => true;
/** Enter with Ctrl is a key of the form around a field, and in one line Enter is too. */
const fieldKeys = keymap.of([{ key: "Mod-Enter", run: doNothing }]);
const lineKeys = keymap.of([{ key: "Enter", run: doNothing, shift: doNothing }]);

/**
 * Replaces a selection by a typed text. Chromium would insert it with the style of the replaced text as an attribute, which
 * the content policy of the page blocks.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: (event, editor) => {
    const { data, inputType } = event;
    const isEmpty = editor.state.selection.ranges.every(({ empty }) => empty);
    if (inputType !== "insertText" || data === null || isEmpty || editor.composing) return false;
    editor.dispatch(editor.state.replaceSelection(data), { userEvent: "input.type" });
    return true;
  },
});

/** Marks a text that was not typed. */
const fromProperty = Annotation.define<boolean>();

/** The nonce of the page, which admits the style element of the editor. */
function nonceOf(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? "";
}

const jsonLanguage = json();

/** An editor of code. Tab moves the focus, as everywhere. */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  const { label, text, faults, describedBy, target, isReadOnly = false } = props;
  useEffect(() => {
    if (place.current === null) return;
    const { text: doc, autoFocus = false, shape = "PAGE" } = latest.current;
    const attributes: Record<string, string> = {
      ...{ "aria-label": label, "aria-multiline": String(shape !== "LINE") },
      // axe does not count an editable element without it among those that take the focus.
      tabindex: "0",
    };
    if (describedBy !== undefined) attributes["aria-describedby"] = describedBy;
    const extensions: Extension[] = [
      ...[EditorView.cspNonce.of(nonceOf()), EditorState.readOnly.of(isReadOnly), theme],
      replaceSelection,
      latest.current.language ?? jsonLanguage,
      ...[history(), drawSelection(), indentOnInput(), bracketMatching()],
      ...[syntaxHighlighting(highlight), EditorView.lineWrapping],
      ...(shape === "PAGE" ? [lineNumbers(), lintGutter()] : [fieldTheme, fieldKeys]),
      ...(shape === "LINE" ? [oneLine, lineKeys] : []),
      placeholder(latest.current.placeholder ?? ""),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of(attributes),
      EditorView.updateListener.of((update) => {
        const isTyped = update.transactions.some(
          (one) => one.annotation(fromProperty) === undefined,
        );
        if (update.docChanged && isTyped) latest.current.onChange(update.state.doc.toString());
      }),
    ];
    const editor = new EditorView({
      state: EditorState.create({ doc, extensions }),
      parent: place.current,
    });
    view.current = editor;
    if (autoFocus) editor.focus();
    return () => editor.destroy();
  }, [label, describedBy, isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    const changes = { from: 0, to: editor.state.doc.length, insert: text };
    editor.dispatch({ changes, annotations: fromProperty.of(true) });
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { length } = editor.state.doc;
    const diagnostics = faults.map(
      ({ from, to, message }): Diagnostic => ({
        from: Math.min(from, length),
        to: Math.min(Math.max(from, to), length),
        severity: "error",
        message,
      }),
    );
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [faults]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || target === undefined) return;
    const selection = { anchor: target.from, head: target.to };
    editor.dispatch({ selection, scrollIntoView: true });
    editor.focus();
  }, [target]);
  return (
    <div
      ref={place}
      className={classes(
        "overflow-hidden rounded-control border bg-surface focus-within:outline-2 focus-within:outline-accent",
        isReadOnly ? "border-line-strong" : "border-line-input",
        (props.shape ?? "PAGE") === "PAGE" && "h-full min-h-24",
      )}
    />
  );
}

/** Returns a text on one line: a line feed, with the blanks around it and the empty lines, becomes a blank. */
export function joinLines(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line, index) => (index === 0 ? line.trimEnd() : line.trim()))
    .filter((line, index) => index === 0 || line !== "")
    .join(" ");
}
