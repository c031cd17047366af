import { useState } from "react";
import { useTranslations } from "use-intl";

interface SearchFieldProps {
  readonly label: string;
  /** The usual one is a single word. */
  readonly placeholder?: string;
  readonly value: string | undefined;
  /** The text; undefined when the field is emptied. */
  readonly onChange: (value: string | undefined) => void;
}

/** Finds entries of a list by a text. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const words = useTranslations("manage");
  // The address follows a moment after the key, so the field itself keeps what is typed.
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder ?? words("search")}
      value={typed ?? value ?? ""}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.value === "" ? undefined : target.value);
      }}
      onBlur={() => setTyped(undefined)}
      className="h-7 w-72 max-w-full max-sm:w-full min-w-0 justify-self-start rounded-control border border-line-input bg-surface px-2.5"
    />
  );
}
