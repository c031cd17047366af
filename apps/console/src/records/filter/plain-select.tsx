import { ChevronDown } from "../../ui/icons.generated.ts";

interface PlainSelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly isWide?: boolean;
}

/** A choice of a few values whose label is no text beside it. */
export function PlainSelect({ label, value, options, onChange, isWide = false }: PlainSelectProps) {
  return (
    <span className={`relative inline-block max-w-full min-w-0 ${isWide ? "w-full" : ""}`}>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`h-7 max-w-full min-w-0 appearance-none rounded-control border border-line-input bg-surface pr-6 pl-2.5 text-ink text-ellipsis ${isWide ? "w-full" : ""}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-1.5 my-auto text-ink-3"
      />
    </span>
  );
}
