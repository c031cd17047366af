import { ChevronRight, Table2, TableProperties } from "lucide-react";
import { memo, useId } from "react";
import type { NavigationResource } from "../shell/navigation.ts";
import { resourcePath } from "../shell/resource-path.ts";
import { classes } from "../ui/classes.ts";
import { SidebarLink } from "./sidebar-link.tsx";

interface SchemaGroupProps {
  readonly schema: string;
  readonly resources: readonly NavigationResource[];
  readonly isOpen: boolean;
  readonly onToggle: (schema: string) => void;
  /** The address of the open page, if one of these tables is open. */
  readonly here: string | undefined;
}

/** The tables and views of a schema, under a heading that folds them away. */
export const SchemaGroup = memo(function SchemaGroup(props: SchemaGroupProps) {
  const { schema, resources, isOpen, onToggle, here } = props;
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2>
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onClick={() => onToggle(schema)}
          className="flex h-7 w-full min-w-0 items-center gap-1 rounded-control px-2 text-left text-2 text-ink-2 hover:text-ink focus-visible:outline-offset-[-2px]"
        >
          <span className="truncate" dir="auto" title={schema}>
            {schema}
          </span>
          <ChevronRight
            size={12}
            aria-hidden="true"
            className={classes("shrink-0 transition-transform duration-100", isOpen && "rotate-90")}
          />
        </button>
      </h2>
      {isOpen && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
          {resources.map((resource) => {
            const href = resourcePath(resource);
            return (
              <li key={resource.id} className="min-w-0">
                <SidebarLink
                  href={href}
                  icon={resource.kind === "VIEW" ? TableProperties : Table2}
                  label={resource.label ?? resource.name}
                  isHere={href === here}
                  isName
                />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
});
