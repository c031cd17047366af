import {
  lazy,
  type RefObject,
  Suspense,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslations } from "use-intl";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import type { CodeFault } from "../../ui/code-editor.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { lineOf, scanJson } from "../values/json-fault.ts";
import type { Draft } from "./filter-draft.ts";
import { type FilterFault, faultsByNode, pathInText } from "./filter-faults.ts";
import { FilterGroup } from "./filter-group.tsx";
import {
  type FilterEdit,
  FilterEditProvider,
  type GroupNode,
  newCondition,
  type Where,
} from "./filter-tree.ts";
import type { Resources } from "./resolve-field.ts";
import { filterText, useFilterDraft } from "./use-filter-draft.ts";
import { writeWhere } from "./write-where.ts";

interface FilterPanelProps {
  readonly resource: NavigationResource;
  readonly resources: Resources;
  /** The bar below which the panel opens. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly where: Where | undefined;
  readonly tree: GroupNode;
  /** The part that was pressed; null for a new condition. */
  readonly focusId: string | null;
  readonly faults: readonly FilterFault[];
  readonly Template?: FilterEdit["Template"];
  readonly draft: Draft | null;
  readonly onDraft: (draft: Draft | null) => void;
  readonly onApply: (where: Where) => void;
  readonly onClose: () => void;
}

/** The builder of a filter and its text, in a dialog below the bar; on a phone it is a page. */
export function FilterPanel(props: FilterPanelProps) {
  const { resource, resources, where, faults, anchor, onApply, onClose } = props;
  const t = useTranslations("filter");
  const titleId = useId();
  const dialog = useDialog(anchor);
  const [first] = useState(newCondition);
  const isNew = props.focusId === null && props.draft === null;
  const [focusId, focus] = useState(isNew ? first.id : props.focusId);
  const draft = useFilterDraft({
    ...props,
    start: (top) => (isNew ? { ...top, nodes: [...top.nodes, first] } : top),
  });
  const { top, text, missing, isChanged } = draft;
  const isText = text !== null;
  // The service's faults are those of the applied filter; they stand at the parts that are still in it.
  const own = useMemo(() => {
    const found = isChanged
      ? new Map<string, string>()
      : new Map(faultsByNode(top, writeWhere(top), faults));
    for (const id of missing) found.set(id, t("missing"));
    return found;
  }, [isChanged, top, faults, missing, t]);
  const edit = {
    ...{ resources, change: draft.change, add: draft.add },
    ...{ faults: own, focusId, focus, Template: props.Template },
  };
  const apply = () => {
    const next = draft.finish();
    if (next !== undefined) onApply(next);
  };
  const discard = () => {
    props.onDraft(null);
    onClose();
  };
  const isWaiting = isChanged || props.draft !== null;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        const isAnywhere = event.ctrlKey || event.metaKey;
        if (!isAnywhere && (event.isDefaultPrevented() || !isValue(event.target))) return;
        event.preventDefault();
        apply();
      }}
      className="m-0 w-full max-w-none rounded-panel border border-line-strong bg-surface p-0 text-3 text-ink backdrop:bg-transparent max-sm:inset-0 max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none max-sm:border-0 sm:w-180 sm:max-w-[calc(100vw-16px)]"
    >
      <div className="flex max-h-[inherit] flex-col max-sm:h-full">
        <div className="flex items-center gap-2 border-line border-b px-4 py-2">
          <h2 id={titleId} className="font-semibold">
            {t("title")}
          </h2>
          <span className="flex-1" />
          <fieldset aria-label={t("way")} className="flex rounded-control bg-sunken p-0.5">
            <Way label={t("builder")} isChosen={!isText} onChoose={draft.toBuilder} />
            <Way label={t("text")} isChosen={isText} onChoose={draft.toText} />
          </fieldset>
          <IconButton label={t("close")} icon={X} onPress={onClose} />
        </div>
        <div className="min-h-0 flex-1 overflow-auto p-4">
          {isText ? (
            <FilterText
              text={text}
              onChange={draft.type}
              faults={text === filterText(where ?? {}) ? faults : []}
            />
          ) : (
            <FilterEditProvider value={edit}>
              <FilterGroup group={top} resource={resource} label={t("match")} />
            </FilterEditProvider>
          )}
        </div>
        <div className="flex items-center justify-end gap-2 border-line border-t px-4 py-2">
          {isText && draft.finish() === undefined && (
            <p role="alert" className="mr-auto text-2 text-danger">
              {t("notObject")}
            </p>
          )}
          {missing.size > 0 && (
            <p role="alert" className="mr-auto text-2 text-danger">
              {t("missing")}
            </p>
          )}
          {isWaiting && <ToolButton onClick={discard}>{t("discard")}</ToolButton>}
          <ToolButton kind="primary" onClick={apply}>
            {t("apply")}
          </ToolButton>
        </div>
      </div>
    </dialog>
  );
}

function Way(props: {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={props.isChosen}
      onClick={props.onChoose}
      className={classes(
        "h-6 rounded-[4px] px-2.5",
        props.isChosen ? "bg-surface font-medium text-ink" : "text-ink-2 hover:text-ink",
      )}
    >
      {props.label}
    </button>
  );
}

/** Whether Enter in an element ends a condition: a field of one line with its value. */
function isValue(target: EventTarget): boolean {
  return (
    target instanceof HTMLInputElement &&
    target.type !== "checkbox" &&
    target.closest("[data-operand]") !== null
  );
}

const gap = 4;
const edge = 8;
/** The height that the dialog has even where less is left below its anchor. */
const leastHeight = 360;

/** Opens a dialog below an element, or over the whole page of a phone, and returns the focus when it closes. */
function useDialog(anchor: RefObject<HTMLElement | null>) {
  const place = useRef<HTMLDialogElement>(null);
  // Before the effects of the fields inside, which take the focus.
  useLayoutEffect(() => {
    const dialog = place.current;
    if (dialog === null) return;
    const before = document.activeElement;
    dialog.showModal();
    const move = () => {
      const rect = anchor.current?.getBoundingClientRect();
      if (rect === undefined || innerWidth < 640) {
        dialog.removeAttribute("style");
        return;
      }
      const width = dialog.offsetWidth;
      const least = Math.min(leastHeight, innerHeight - 2 * edge);
      const top = Math.min(rect.bottom + gap, innerHeight - edge - least);
      dialog.style.top = `${top}px`;
      dialog.style.left = `${Math.max(edge, Math.min(rect.left, innerWidth - width - edge))}px`;
      dialog.style.maxHeight = `${innerHeight - top - edge}px`;
    };
    move();
    // The elements of another width of the window are there in the next frame.
    const onResize = () => requestAnimationFrame(move);
    addEventListener("resize", onResize);
    return () => {
      removeEventListener("resize", onResize);
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [anchor]);
  return place;
}

const CodeEditor = lazy(() =>
  import("../../ui/code-editor.tsx").then((module) => ({ default: module.CodeEditor })),
);

interface FilterTextProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What the service said about the applied filter; empty once the text differs from it. */
  readonly faults: readonly FilterFault[];
}

/** The filter as the JSON of the Data API, with faults at their place. */
function FilterText({ text, onChange, faults }: FilterTextProps) {
  const t = useTranslations("filter");
  const id = useId();
  const found = useMemo(() => faultsIn(text, faults), [text, faults]);
  const marks = found.map(({ from, to, message }): CodeFault => {
    const own = message ?? t("notJson", lineOf(text, from));
    return { from, to, message: own };
  });
  return (
    <div className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_auto] gap-2">
      <div className="h-72 min-h-0 max-sm:h-full">
        <Suspense fallback={<Skeleton label={t("textLabel")} rows={6} />}>
          <CodeEditor
            label={t("textLabel")}
            text={text}
            onChange={onChange}
            faults={marks}
            describedBy={id}
            autoFocus
          />
        </Suspense>
      </div>
      <div id={id} className="grid gap-1 text-2">
        {found.map(({ from, message }) => (
          <p key={`${from} ${message}`} className="text-danger">
            {message === null
              ? t("notJson", lineOf(text, from))
              : t("at", { ...lineOf(text, from), message })}
          </p>
        ))}
        <p className="text-ink-2">{t("textHint")}</p>
      </div>
    </div>
  );
}

/** The places of faults in a text; without a message, of its JSON. */
function faultsIn(text: string, faults: readonly FilterFault[]) {
  const { fault, places } = scanJson(text);
  if (fault !== undefined) {
    const { offset } = fault;
    return [{ from: offset, to: Math.min(offset + 1, text.length), message: null }];
  }
  const paths = [...places.keys()].map((key) => JSON.parse(key) as string[]);
  return faults.map((one) => {
    const place = places.get(JSON.stringify(pathInText(one, paths)));
    return { from: place?.from ?? 0, to: place?.to ?? 0, message: one.message };
  });
}
