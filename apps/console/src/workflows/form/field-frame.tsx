import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import type { DefinitionFault } from "../model/faults.ts";

interface FieldFrameProps {
  /** The id of the input; for a group, of the group. */
  readonly id: string;
  readonly label: string;
  readonly pointer: string;
  readonly help: ReactNode;
  readonly faults: readonly DefinitionFault[];
  /** Whether the field has several inputs, each with a name of its own. */
  readonly isGroup?: boolean;
  /** Beside the label. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** The id of the help and the faults of a field. */
export function noteId(id: string): string {
  return `${id}-note`;
}

/** A field: its label, its control, its faults, and its help. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, pointer, help, faults, isGroup = false, aside, children } = props;
  const labelId = `${id}-label`;
  const inner = (
    <>
      <div className="flex min-h-6 items-center justify-between gap-3">
        {isGroup ? (
          <span id={labelId} className="font-medium">
            {label}
          </span>
        ) : (
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
        )}
        {aside}
      </div>
      {children}
      <Note id={noteId(id)} faults={faults} help={help} />
    </>
  );
  const look = "grid min-w-0 gap-1";
  if (!isGroup) {
    return (
      <div data-pointer={pointer} className={look}>
        {inner}
      </div>
    );
  }
  return (
    // A fieldset cannot be a grid with a legend beside its buttons.
    // biome-ignore lint/a11y/useSemanticElements: the same role
    <div role="group" aria-labelledby={labelId} data-pointer={pointer} className={look}>
      {inner}
    </div>
  );
}

/** The faults of a field, and its help. The element is there without them too, so that its id always leads somewhere. */
function Note(props: {
  readonly id: string;
  readonly faults: readonly DefinitionFault[];
  readonly help: ReactNode;
}) {
  return (
    <div id={props.id} className="grid gap-0.5 text-2 empty:hidden">
      <FaultLines faults={props.faults} />
      {props.help !== undefined && props.help !== "" && <p className="text-ink-2">{props.help}</p>}
    </div>
  );
}

/** Faults in the words of the service. */
export function FaultLines({ faults }: { readonly faults: readonly DefinitionFault[] }) {
  return faults.map(({ path, message, severity }) => (
    <p
      key={`${path} ${message}`}
      lang="en"
      className={classes(
        "text-2 wrap-break-word",
        severity === "WARNING" ? "text-warn" : "text-danger",
      )}
    >
      {message}
    </p>
  ));
}
