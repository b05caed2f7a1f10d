/** A PNG file has so many pixels for one of the drawing, and so many on a side at most. */
const SHARPNESS = 2;
const LONGEST_SIDE = 12_000;

/** The bytes of a PNG of what is on a canvas. Fails where the canvas is larger than the browser's memory allows. */
export async function pngOfCanvas(canvas: HTMLCanvasElement): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large.');
  return new Uint8Array(await blob.arrayBuffer());
}

/** The bytes of a PNG of an SVG document that names its width and height. */
export async function pngOfSvg(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(SHARPNESS, LONGEST_SIDE / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await pngOfCanvas(canvas);
  } finally {
    URL.revokeObjectURL(address);
  }
}
