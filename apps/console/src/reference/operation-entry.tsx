import type { Document } from "@rowhouse/client/openapi";
import { useEffect, useRef } from "react";
import { classes } from "../ui/classes.ts";
import { ChevronRight } from "../ui/icons.generated.ts";
import { OperationDetails } from "./operation-details.tsx";
import type { Operation } from "./operations.ts";

interface OperationEntryProps {
  readonly document: Document;
  readonly operation: Operation;
  readonly isOpen: boolean;
  readonly secret: string | undefined;
  readonly onToggle: () => void;
}

/** An operation in the list; its details are made when it opens. */
export function OperationEntry(props: OperationEntryProps) {
  const { document, operation, isOpen, secret, onToggle } = props;
  const { method, path, object } = operation;
  const place = useRef<HTMLLIElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The address of the page opens it, possibly far down in the list.
    if (wasOpen.current) place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <li ref={place} className="border-line border-b last:border-b-0">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 text-left hover:bg-sunken"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classes("shrink-0 self-center text-ink-2", isOpen && "rotate-90")}
          />
          <code className="w-14 shrink-0 font-mono text-2 font-semibold text-accent">{method}</code>
          <code className="min-w-0 font-mono wrap-anywhere">{path}</code>
          <span lang="en" className="min-w-0 text-2 text-ink-2">
            {object.summary}
          </span>
        </button>
      </h3>
      {isOpen && <OperationDetails document={document} operation={operation} secret={secret} />}
    </li>
  );
}
