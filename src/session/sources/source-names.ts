/** How files of programs are named: nothing else is listed as a source, and of nothing else is the text shown. */
const ENDINGS = new Set(
  [
    'c h cc cp cpp cxx c++ hh hp hpp hxx h++ inl ipp tcc tpp txx icc cu cuh hip m mm',
    'f for ftn fpp f77 f90 f95 f03 f08 f18',
    'py pyw pyx pxd pxi jl',
    'rs go zig swift d adb ads chpl java kt scala',
    's asm y yy l ll',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a path is named as source files are. */
export function isSourceName(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 && ENDINGS.has(name.slice(dot + 1).toLowerCase());
}
