import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { findJsonFault, scanJson } from "../../records/values/json-fault.ts";
import { isPressed } from "../../shell/keys.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { DefinitionFault } from "../model/faults.ts";
import { keysOf } from "../model/pointer.ts";

const CodeEditor = lazy(() =>
  import("../../ui/code-editor.tsx").then((module) => ({ default: module.CodeEditor })),
);

interface CodeViewProps {
  readonly code: string;
  readonly isLocked: boolean;
  readonly onType: (code: string) => void;
  readonly faults: readonly DefinitionFault[];
  /** The part to show: the pointer of a step or of a field. Another object shows it again. */
  readonly target: { readonly pointer: string } | undefined;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** The definition as JSON, with faults at their place. Undo and redo are those of the whole editor. */
export function CodeView(props: CodeViewProps) {
  const { code, faults, target, onUndo, onRedo } = props;
  const t = useTranslations("workflowEditor");
  const words = useTranslations("manage");
  const syntax = useMemo(() => findJsonFault(code), [code]);
  const marks = useMemo(() => {
    if (syntax !== undefined) {
      return [{ from: syntax.offset, to: syntax.offset + 1, message: t("codeFault") }];
    }
    if (faults.length === 0) return [];
    const { places } = scanJson(code);
    return faults.map(({ path, message }) => ({ ...placeOf(places, path, code), message }));
  }, [code, syntax, faults, t]);
  const [shown, show] = useState<{ readonly from: number; readonly to: number }>();
  // The text of the moment counts; a later one does not move the selection again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (target === undefined || syntax !== undefined) return;
    show({ ...placeOf(scanJson(code).places, target.pointer, code) });
  }, [target]);
  return (
    <div
      className="flex min-h-0 flex-1 flex-col gap-2"
      onKeyDownCapture={(event) => {
        const deed = isPressed("Mod+Z", event.nativeEvent)
          ? onUndo
          : isPressed("Mod+Shift+Z", event.nativeEvent) || isPressed("Mod+Y", event.nativeEvent)
            ? onRedo
            : undefined;
        if (deed === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        deed();
      }}
    >
      {syntax !== undefined && (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-danger">
          {t("codeFaultAt", { line: syntax.line, column: syntax.column })}
          <ToolButton
            kind="bare"
            onClick={() => show({ from: syntax.offset, to: syntax.offset + 1 })}
          >
            {t("goThere")}
          </ToolButton>
        </div>
      )}
      <div className="min-h-0 flex-1 max-lg:h-[60dvh] max-lg:flex-none">
        <Suspense fallback={<Skeleton label={words("loading")} rows={12} />}>
          <CodeEditor
            label={t("code")}
            text={code}
            onChange={props.onType}
            faults={marks}
            target={shown}
            isReadOnly={props.isLocked}
          />
        </Suspense>
      </div>
    </div>
  );
}

/** The part of a text that a pointer names, or that of the nearest value around it. */
function placeOf(
  places: ReadonlyMap<string, { readonly from: number; readonly to: number }>,
  pointer: string,
  code: string,
): { readonly from: number; readonly to: number } {
  for (let keys = keysOf(pointer); keys.length > 0; keys = keys.slice(0, -1)) {
    const place = places.get(JSON.stringify(keys));
    if (place !== undefined) return place;
  }
  return { from: 0, to: Math.min(1, code.length) };
}
