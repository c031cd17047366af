import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { describedBy, Field, inputClasses } from "./field.tsx";
import { Eye, EyeOff } from "./first-icons.generated.ts";

interface PasswordFieldProps {
  readonly label: string;
  readonly autoComplete: "current-password" | "new-password";
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly aside?: ReactNode;
  /** Whether the only task of the page begins in this field; it then has the focus. */
  readonly isFirst?: boolean;
  /** The names of the button that shows the password. */
  readonly words: { readonly show: string; readonly hide: string };
}

/** A password, which its person may show. Paste and password managers work. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, hint, fault, aside, words, autoComplete, value, onChange } = props;
  const { isFirst = false } = props;
  const id = useId();
  const place = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) place.current?.focus();
  }, [isFirst]);
  const [isShown, show] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field id={id} label={label} hint={hint} fault={fault} aside={aside}>
      <div className="relative">
        <input
          {...describedBy(id, hint, fault)}
          ref={place}
          id={id}
          name="password"
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClasses} pr-10`}
        />
        <button
          type="button"
          aria-label={isShown ? words.hide : words.show}
          aria-pressed={isShown}
          onClick={() => show(!isShown)}
          className="absolute inset-y-1 right-1 grid w-7 place-items-center rounded-control text-ink-2 hover:bg-sunken"
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      </div>
    </Field>
  );
}
