import { type KeyboardEvent, useRef } from "react";

/** Milliseconds after which typed letters begin a new name. */
const typingPauseMs = 800;

/**
 * Collects the letters that are typed shortly after each other.
 *
 * @returns the letters so far for a key that types one; undefined for any other key
 */
export function useTypedName(): (event: KeyboardEvent) => string | undefined {
  const typed = useRef({ text: "", at: 0 });
  return (event) => {
    if (!isLetter(event)) return undefined;
    const { text, at } = typed.current;
    const now = event.timeStamp;
    const name = now - at < typingPauseMs ? text + event.key : event.key;
    typed.current = { text: name, at: now };
    return name;
  };
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && /\S/.test(key) && !ctrlKey && !metaKey && !altKey;
}
