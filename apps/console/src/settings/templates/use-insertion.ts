import { useCallback, useRef } from "react";
import { flushSync } from "react-dom";
import type { MailPartName as PartName } from "./template-parts.ts";

type Input = HTMLInputElement | HTMLTextAreaElement;

/** Inserts texts at the cursor of the part that had the focus last. */
export interface Insertion {
  /** For the `ref` of the input of a part. */
  place(name: PartName, input: Input | null): void;
  /** For the `onFocus` of the input of a part. */
  choose(name: PartName): void;
  /** Inserts a text in place of the selection, and gives the focus back to the input. */
  insert(text: string): void;
}

/** @param onChange takes the new text of a part */
export function useInsertion(onChange: (name: PartName, text: string) => void): Insertion {
  const inputs = useRef(new Map<PartName, Input>());
  const last = useRef<PartName>("text");
  const latest = useRef(onChange);
  latest.current = onChange;
  const place = useCallback((name: PartName, input: Input | null) => {
    if (input === null) inputs.current.delete(name);
    else inputs.current.set(name, input);
  }, []);
  return {
    place,
    choose: (name) => {
      last.current = name;
    },
    insert: (text) => {
      const name = inputs.current.has(last.current) ? last.current : "text";
      const input = inputs.current.get(name);
      if (input === undefined) return;
      const { value, selectionStart, selectionEnd } = input;
      const from = selectionStart ?? value.length;
      const next = value.slice(0, from) + text + value.slice(selectionEnd ?? from);
      flushSync(() => latest.current(name, next));
      input.focus();
      input.setSelectionRange(from + text.length, from + text.length);
    },
  };
}
