import { useRef, useState } from "react";
import { useWays } from "../values/ways.ts";
import { type EditedColumn, editText, typedValue } from "./draft.ts";

/** The text of an editor. It follows the value unless the person has typed something that has the same value. */
export function useTextDraft(
  column: EditedColumn,
  value: unknown,
  onChange: (value: unknown) => void,
): { readonly text: string; readonly type: (text: string) => void } {
  const ways = useWays();
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(
    null,
  );
  const first = useRef({ value, text: editText(column, value, ways) });
  const isOwn = typed !== null && Object.is(typed.value, value);
  const text = isOwn ? typed.text : editText(column, value, ways);
  return {
    text,
    type: (next) => {
      // A text as it was in the beginning means the value of the beginning, with every digit that is not shown.
      const { current } = first;
      const read = next === current.text ? current.value : typedValue(column, next, ways);
      setTyped({ text: next, value: read });
      onChange(read);
    },
  };
}
