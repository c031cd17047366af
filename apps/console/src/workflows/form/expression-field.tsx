import { lazy, Suspense, useRef } from "react";
import type { CodeFault } from "../../ui/code-editor.tsx";
import type { ExpressionLanguage } from "./complete-expression.ts";
import { useForm } from "./form-context.ts";
import type { Scope } from "./shape.ts";

const ExpressionEditor = lazy(() =>
  import("./expression-editor.tsx").then((module) => ({ default: module.ExpressionEditor })),
);

interface ExpressionFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly kind: ExpressionLanguage;
  readonly describedBy?: string | undefined;
  /** Whether Enter begins no line. */
  readonly isLine?: boolean;
  readonly placeholder?: string | undefined;
  readonly faults?: readonly CodeFault[];
  /** Texts that are offered besides what the step can read, such as the values of an enum. */
  readonly findScope?: () => Promise<Scope>;
}

const none: readonly CodeFault[] = [];

/** A template, JSON with templates or a condition, with completion. */
export function ExpressionField(props: ExpressionFieldProps) {
  const { isLine = false, text, faults = none, findScope, ...rest } = props;
  const form = useForm();
  // A text with lines keeps them, in a field that stays so while it is shown.
  const hasLines = useRef(!isLine);
  hasLines.current ||= /[\r\n]/.test(text);
  const shape = hasLines.current ? "TEXT" : "LINE";
  return (
    <Suspense
      fallback={
        <div
          data-loading
          aria-hidden="true"
          className="h-7.5 rounded-control border border-line-input"
        />
      }
    >
      <ExpressionEditor
        {...rest}
        key={shape}
        shape={shape}
        text={text}
        faults={faults}
        isReadOnly={form.isLocked}
        findScope={findScope ?? form.findScope}
      />
    </Suspense>
  );
}
