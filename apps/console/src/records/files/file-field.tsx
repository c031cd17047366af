import { useId } from "react";

interface FileFieldProps {
  readonly label: string;
  readonly hint: string;
  /** The endings of the files that it takes, as `accept` has them. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** Takes a file by a choice or by dropping it. */
export function FileField({ label, hint, accept, onFile }: FileFieldProps) {
  const id = useId();
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        // The same file can be chosen again after it was mended.
        onClick={(event) => {
          event.currentTarget.value = "";
        }}
        onChange={(event) => take(event.target.files)}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files);
        }}
        onDragOver={(event) => event.preventDefault()}
        className="w-full min-w-0 rounded-control border border-line-strong border-dashed bg-sunken p-3"
      />
      <p id={`${id}-hint`} className="text-2 text-ink-2">
        {hint}
      </p>
    </div>
  );
}
