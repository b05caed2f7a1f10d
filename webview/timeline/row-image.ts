/** Pixels of rows, one line of the image for each row; drawn as high as a row is. */
export class RowImage {
  private readonly canvas = document.createElement('canvas');
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);

  /** Lines of nothing; each is handed out by `line`. */
  begin(columns: number, rows: number): void {
    if (this.image.width !== columns || this.image.height < rows) {
      this.image = new ImageData(Math.max(1, columns), Math.max(1, rows));
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.canvas.width = this.image.width;
      this.canvas.height = this.image.height;
    } else this.pixels.fill(0);
  }

  line(row: number): Uint32Array {
    const { width } = this.image;
    return this.pixels.subarray(row * width, (row + 1) * width);
  }

  end(): void {
    this.canvas.getContext('2d')!.putImageData(this.image, 0, 0);
  }

  /** Draws a row from the left edge on. */
  draw(context: CanvasRenderingContext2D, row: number, y: number, width: number, height: number): void {
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, 0, row, this.image.width, 1, 0, y, width, height);
  }
}
