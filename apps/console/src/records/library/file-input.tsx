import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { ToolButton } from "../../ui/tool-button.tsx";

interface FileInputProps {
  readonly id?: string | undefined;
  /** The name of the button, if its content is none. */
  readonly label?: string;
  readonly kind?: "primary" | "plain";
  readonly isMany?: boolean;
  /** The media types that the dialog of the system offers. */
  readonly accept?: string | undefined;
  readonly describedBy?: string | undefined;
  /** Whether another control beside it does the same by the keyboard. */
  readonly isSkipped?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** A button that chooses files of the computer. */
export function FileInput(props: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ToolButton
        id={props.id}
        kind={props.kind ?? "plain"}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        tabIndex={props.isSkipped === true ? -1 : undefined}
        onClick={() => input.current?.click()}
      >
        {props.children}
      </ToolButton>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        multiple={props.isMany === true}
        accept={props.accept}
        className="hidden"
        onChange={({ target }) => {
          props.onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}

/** What was dropped: files, and the names of folders, which the browser cannot send. */
interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly string[];
}

/** The handlers of an element on which files can be dropped, and whether some are held over it. */
export function useDropArea(onDrop: ((dropped: Dropped) => void) | null) {
  // Entering a child is announced before the leaving of its parent.
  const [depth, setDepth] = useState(0);
  const isTaken = ({ dataTransfer }: DragEvent) =>
    onDrop !== null && dataTransfer.types.includes("Files");
  const by = (step: number) => (event: DragEvent) => {
    if (isTaken(event)) setDepth((last) => Math.max(0, last + step));
  };
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: by(1),
      onDragLeave: by(-1),
      onDragOver: (event: DragEvent) => {
        if (isTaken(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!isTaken(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setDepth(0);
        onDrop?.(read(event.dataTransfer));
      },
    },
  };
}

function read({ items }: DataTransfer): Dropped {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory === true) folders.push(entry.name);
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}
