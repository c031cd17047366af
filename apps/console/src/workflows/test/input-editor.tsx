import { lazy, Suspense, useId, useMemo } from "react";
import { useTranslations } from "use-intl";
import { findJsonFault } from "../../records/values/json-fault.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

const CodeEditor = lazy(async () => ({
  default: (await import("../../ui/code-editor.tsx")).CodeEditor,
}));

interface InputEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What the service says of the value. */
  readonly fault: string | undefined;
}

/** A value as JSON, with the place of a fault. */
export function InputEditor({ label, text, onChange, fault }: InputEditorProps) {
  const t = useTranslations("workflows.test");
  const words = useTranslations("manage");
  const id = useId();
  const broken = useMemo(() => findJsonFault(text), [text]);
  const message = broken === undefined ? fault : t("notJson", { line: broken.line });
  const faults = useMemo(
    () =>
      broken === undefined
        ? []
        : [
            {
              from: broken.offset,
              to: broken.offset + 1,
              message: t("notJson", { line: broken.line }),
            },
          ],
    [broken, t],
  );
  return (
    <div className="grid gap-1">
      <span className="font-medium">{label}</span>
      <div className="grid h-40">
        <Suspense fallback={<Skeleton label={words("loading")} rows={4} />}>
          <CodeEditor
            label={label}
            text={text}
            onChange={onChange}
            faults={faults}
            describedBy={message === undefined ? undefined : id}
          />
        </Suspense>
      </div>
      {message !== undefined && (
        <p id={id} role="alert" className="text-2 text-danger">
          {message}
        </p>
      )}
    </div>
  );
}
