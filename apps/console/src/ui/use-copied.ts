import { useEffect, useState } from "react";

const shownMs = 2000;

/** Copies texts to the clipboard. `isCopied` is true for two seconds after each. */
export function useCopied(): { readonly isCopied: boolean; copy(text: string): void } {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return {
    isCopied,
    copy: (text) => void navigator.clipboard.writeText(text).then(() => setCopied(true)),
  };
}
