import { useState } from "react";
import { useTranslations } from "use-intl";

/** Finds entries of a list by a text. */
export function SearchField(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const words = useTranslations("manage");
  // The address follows a moment after the key, so the field itself keeps what is typed.
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="search"
      aria-label={props.label}
      placeholder={words("search")}
      value={typed ?? props.value ?? ""}
      onChange={({ target }) => {
        setTyped(target.value);
        props.onChange(target.value === "" ? undefined : target.value);
      }}
      onBlur={() => setTyped(undefined)}
      className="h-8 w-64 min-w-0 rounded-control border border-line-input bg-surface px-2.5"
    />
  );
}
