const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Returns a number of bytes in the unit that people read, as the options of a number format. */
export function fileSize(bytes: number): {
  readonly number: number;
  readonly options: {
    readonly style: "unit";
    readonly unit: string;
    maximumFractionDigits: number;
  };
} {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return {
    number: bytes / 1000 ** step,
    options: {
      style: "unit",
      unit: units[step] ?? "byte",
      maximumFractionDigits: step === 0 ? 0 : 1,
    },
  };
}
