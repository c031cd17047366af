import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { inputClasses } from "../../ui/field.tsx";
import { iconOf } from "../parts/kind-icon.ts";
import type { StepKind } from "../parts/kinds-query.ts";

const groups = ["rows", "flow", "values", "outside", "files"] as const;

interface AddStepDialogProps {
  readonly kinds: readonly StepKind[];
  readonly onChoose: (kind: StepKind) => void;
  readonly onClose: () => void;
}

/** Asks for the kind of a new step: a field whose text finds kinds, and the list of them. The focus stays in the field. */
export function AddStepDialog({ kinds, onChoose, onClose }: AddStepDialogProps) {
  const t = useTranslations("workflowEditor");
  const words = useTranslations("manage");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  useEffect(() => input.current?.focus(), []);
  const wanted = text.trim().toLowerCase();
  const all = groups.flatMap((group) => kinds.filter((kind) => kind.group === group));
  // A kind with the text in its name comes before one with it in its help.
  const isNamed = ({ kind, title }: StepKind) => `${kind} ${title}`.toLowerCase().includes(wanted);
  const shown = [
    ...all.filter(isNamed),
    ...all.filter((one) => !isNamed(one) && one.help.toLowerCase().includes(wanted)),
  ];
  useEffect(() => {
    list.current?.querySelector(`[data-option="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const choose = (index: number) => {
    const found = shown[index];
    if (found !== undefined) onChoose(found);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const next = steps[event.key];
    if (next !== undefined) setActive(Math.max(0, Math.min(shown.length - 1, next)));
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(active);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("addStep")} onClose={onClose} closeLabel={words("close")}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={t("findKind")}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        placeholder={t("findKind")}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        className={inputClasses}
      />
      <div ref={list} className="-mx-2 h-96 max-h-[55dvh] overflow-y-auto">
        <div role="listbox" id={`${id}-list`} aria-label={t("kindList")}>
          {shown.map(({ kind, group, title, help }, index) => {
            const Icon = iconOf(kind);
            const isFirst = wanted === "" && shown[index - 1]?.group !== group;
            return (
              <div key={kind} role="presentation">
                {isFirst && (
                  <div role="presentation" className="px-2 pt-2 pb-1 text-2 text-ink-2">
                    {t(`groups.${group}`)}
                  </div>
                )}
                {/* The focus stays in the field, which has the keys. */}
                <div
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  data-option={index}
                  aria-selected={index === active}
                  onPointerMove={() => setActive(index)}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(index)}
                  onKeyDown={() => {}}
                  className={classes(
                    "flex cursor-pointer items-start gap-2.5 rounded-control px-2 py-1.5",
                    index === active && "bg-accent-soft",
                  )}
                >
                  <Icon size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-2" />
                  <span className="grid min-w-0">
                    <span className="font-medium">{title}</span>
                    <span className="text-2 text-ink-2">{help}</span>
                  </span>
                </div>
              </div>
            );
          })}
        </div>
        {shown.length === 0 && <p className="px-2 py-3 text-ink-2">{words("nothingFound")}</p>}
      </div>
    </Dialog>
  );
}
