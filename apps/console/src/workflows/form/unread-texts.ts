import { useState } from "react";
import { isEqual } from "../../records/model/is-equal.ts";
import { onSessionChange } from "../../shell/session.ts";
import { useForm } from "./form-context.ts";

interface Unread {
  readonly text: string;
  /** The value that the text was to replace. */
  readonly base: unknown;
}

/** Texts that are no value yet, by their place. They outlive the form, so that opening another step loses none. */
const unreadTexts = new Map<string, Unread>();
onSessionChange(() => unreadTexts.clear());

/** A text with the value that it stands for. */
interface TypedText {
  readonly text: string;
  /** Whether the text stands for no value. */
  readonly isUnread: boolean;
  readonly type: (text: string) => void;
}

/**
 * The text of a control whose value is no text. It follows the value, but what was typed stays as it was typed.
 *
 * @param read returns the value of a text; undefined for a text without one
 */
export function useTypedText(props: {
  readonly pointer: string;
  readonly value: unknown;
  readonly print: (value: unknown) => string;
  readonly read: (text: string) => { readonly value: unknown } | undefined;
  readonly onChange: (value: unknown) => void;
}): TypedText {
  const { pointer, value, print, read, onChange } = props;
  const key = useTextKey(pointer);
  const [typed, setTyped] = useState<Unread | null>(null);
  const unread = unreadTexts.get(key);
  const isKept = unread !== undefined && isSame(unread.base, value);
  const isOwn = typed !== null && isSame(typed.base, value);
  return {
    text: isKept ? unread.text : isOwn ? typed.text : print(value),
    isUnread: isKept,
    type: (text) => {
      const found = read(text);
      if (found === undefined) unreadTexts.set(key, { text, base: value });
      else unreadTexts.delete(key);
      setTyped({ text, base: found === undefined ? value : found.value });
      if (found !== undefined && !isSame(found.value, value)) onChange(found.value);
    },
  };
}

function useTextKey(pointer: string): string {
  const { place } = useForm();
  return `${place.workflowId} ${place.stepId ?? ""} ${pointer}`;
}

/** Whether there is a text that is no value yet in place of a value. */
export function useHasUnread(pointer: string, value: unknown): boolean {
  const unread = unreadTexts.get(useTextKey(pointer));
  return unread !== undefined && isSame(unread.base, value);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isEqual(one, other);
}
