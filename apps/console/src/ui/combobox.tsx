import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classes } from "./classes.ts";
import { describedBy, Field, inputClasses } from "./field.tsx";
import { ChevronDown } from "./icons.generated.ts";
import { floatingClasses, useFloating } from "./use-floating.ts";

/** A choice of a combobox. */
interface Option {
  readonly id: string;
  readonly label: ReactNode;
  /** Shown at the end of the line. */
  readonly detail?: string;
  /** Shown in a second line. */
  readonly below?: string | undefined;
}

interface ComboboxProps {
  readonly id?: string | undefined;
  /** The name of the field; undefined if a label elsewhere names it. */
  readonly label: string | undefined;
  /** The text in the field, by which the options were found. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  /** The id of the option that is chosen at present. */
  readonly chosen?: string | undefined;
  readonly onChoose: (id: string) => void;
  /** The list opens. */
  readonly onOpen?: (() => void) | undefined;
  /** Whether the text may mean several of the options, so that Tab chooses none of them. */
  readonly isAmbiguous?: boolean;
  /** Enter or Escape while the list is closed. */
  readonly onCommit?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly onLeave?: (() => void) | undefined;
  /** In place of options: that there are none, or that they are loading. */
  readonly message?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly inputClassName: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly autoFocus?: boolean;
}

/** A field whose text finds options, with the keyboard pattern of ARIA: the focus stays in the field. */
export function Combobox(props: ComboboxProps) {
  const { text, options, chosen, onChoose } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  // An id, not a place: options that load while the list is open may come before it, or be the present choice.
  const [moved, setMoved] = useState<{ readonly to: string | undefined } | null>(null);
  const activeId = moved === null ? chosen : moved.to;
  const active = Math.max(
    0,
    options.findIndex(({ id }) => id === activeId),
  );
  const input = useRef<HTMLInputElement>(null);
  const list = useFloating<HTMLDivElement>(input, isOpen);
  const { autoFocus } = props;
  useEffect(() => {
    if (autoFocus !== true) return;
    input.current?.focus();
    input.current?.select();
  }, [autoFocus]);
  useEffect(() => {
    if (isOpen)
      list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [isOpen, active, list]);

  const open = () => {
    setMoved(null);
    setOpen(true);
    props.onOpen?.();
  };
  const choose = (index: number) => {
    const option = options[index];
    if (option === undefined) return;
    setOpen(false);
    onChoose(option.id);
  };
  const move = (to: number) => {
    if (!isOpen) open();
    else if (options.length > 0)
      setMoved({ to: options[Math.max(0, Math.min(options.length - 1, to))]?.id });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowDown: active + 1, ArrowUp: active - 1 },
      ...{ PageDown: active + 8, PageUp: active - 8 },
    };
    const step = steps[event.key];
    if (step !== undefined) move(step);
    else if (event.key === "Enter" && isOpen) choose(active);
    else if (event.key === "Enter" && props.onCommit !== undefined) props.onCommit();
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else if (event.key === "Escape" && props.onCancel !== undefined) props.onCancel();
    else if (event.key === "Tab" && isOpen) {
      const isMoved = moved !== null && moved.to !== undefined;
      if (options.length > 0 && (isMoved || props.isAmbiguous !== true)) choose(active);
      else props.onLeave?.();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = options.length === 0;
  return (
    <div className="relative min-w-0">
      <input
        ref={input}
        id={props.id}
        type="text"
        role="combobox"
        aria-label={props.label}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && !isEmpty ? `${listId}-${active}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        value={text}
        placeholder={props.placeholder}
        onChange={(event) => {
          props.onText(event.target.value);
          setMoved({ to: undefined });
          setOpen(true);
        }}
        onClick={() => (isOpen ? setOpen(false) : open())}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          setOpen(false);
          props.onLeave?.();
        }}
        onKeyDown={onKeyDown}
        className={`${props.inputClassName} pr-6 text-ellipsis`}
      />
      <ChevronDown
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-1.5 my-auto text-ink-3"
      />
      <div
        ref={list}
        id={listId}
        popover="manual"
        role="listbox"
        aria-label={props.label ?? labelOf(input.current)}
        // A press on the scroll bar or on an option leaves the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        className={floatingClasses}
      >
        {(isOpen ? options : []).map(({ id, label, detail, below }, index) => (
          // The keys of the field act on the active option, which is no tab stop.
          <div
            key={id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            data-index={index}
            aria-selected={id === chosen}
            onMouseMove={() => setMoved({ to: id })}
            onClick={() => choose(index)}
            onKeyDown={() => {}}
            className={classes(
              "flex min-h-7 cursor-default items-center gap-3 rounded-control px-2",
              index === active && "bg-accent-soft",
              id === chosen && "font-medium",
            )}
          >
            <span className="grid min-w-0 flex-1">
              <span className="truncate" dir="auto">
                {label}
              </span>
              {below !== undefined && (
                <span className="truncate font-normal text-2 text-ink-2" dir="auto">
                  {below}
                </span>
              )}
            </span>
            {detail !== undefined && (
              <span className="shrink-0 truncate text-2 text-ink-2" dir="auto">
                {detail}
              </span>
            )}
          </div>
        ))}
        {props.message !== undefined && (
          <div
            role="option"
            tabIndex={-1}
            aria-selected={false}
            aria-disabled="true"
            className="px-2 py-1 text-2 text-ink-2"
          >
            {props.message}
          </div>
        )}
      </div>
    </div>
  );
}

/** The text of the label of a field. */
function labelOf(input: HTMLInputElement | null): string | undefined {
  return input?.labels?.[0]?.textContent ?? undefined;
}

interface ComboFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  /** The text of the present choice. */
  readonly shown: string;
  readonly chosen: string | undefined;
  /** What is typed to find another option; undefined while nothing is. */
  readonly typed: string | undefined;
  readonly onType: (typed: string | undefined) => void;
  readonly options: readonly Option[];
  readonly onChoose: (id: string) => void;
  readonly onOpen?: () => void;
  readonly message: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isFirst?: boolean;
}

/** A field that chooses one of many by a part of its name. A text that chooses nothing is dropped. */
export function ComboField(props: ComboFieldProps) {
  const { label, hint, fault, onType } = props;
  const id = useId();
  const description = describedBy(id, hint, fault);
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <Combobox
        id={id}
        label={undefined}
        text={props.typed ?? props.shown}
        onText={onType}
        options={props.options}
        chosen={props.chosen}
        onChoose={(chosen) => {
          onType(undefined);
          props.onChoose(chosen);
        }}
        onOpen={props.onOpen}
        onLeave={() => onType(undefined)}
        message={props.message}
        placeholder={props.placeholder}
        inputClassName={inputClasses}
        describedBy={description["aria-describedby"]}
        isInvalid={fault !== undefined}
        autoFocus={props.isFirst === true}
      />
    </Field>
  );
}
