/** Numbers of tasks as batch systems take them: `0-3,7`. @param numbers ascending. */
export function taskNumbers(numbers: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < numbers.length;) {
    let end = at;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end]! + 1) end++;
    ranges.push(end === at ? String(numbers[at]) : `${numbers[at]}-${numbers[end]}`);
    at = end + 1;
  }
  return ranges.join(',');
}
