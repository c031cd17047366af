import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { Search } from "../../ui/icons.generated.ts";

const typingMs = 300;

/** Searches in all texts, soon after the person stops typing. */
export function SearchBox({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string | undefined) => void;
}) {
  const t = useTranslations("grid");
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  useEffect(() => {
    // The address has changed by another way, such as the browser's back button.
    if (text !== sent.current) {
      sent.current = text;
      setTyped(text);
    }
  }, [text]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      onChange(typed === "" ? undefined : typed);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <div className="relative">
      <Search
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute top-1.75 left-2 text-ink-3"
      />
      <input
        type="search"
        data-search
        aria-label={t("search")}
        placeholder={t("search")}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={classes(
          "h-7 rounded-control border border-line-input bg-surface pr-1 pl-7 placeholder:text-ink-3",
          typed === "" ? "w-32 focus:w-52" : "w-52",
        )}
      />
    </div>
  );
}
