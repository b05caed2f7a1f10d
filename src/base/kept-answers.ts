/**
 * Answers to questions that take long, kept for a moment after they came: whoever stopped waiting and asks the same again
 * gets what was worked out meanwhile.
 */
export class KeptAnswers<Question, Answer> {
  private readonly answers = new Map<string, Promise<Answer>>();

  /**
   * @param ask must depend on the question alone, which is plain data.
   * @param kept milliseconds for which an answer counts once it is there.
   */
  constructor(
    private readonly ask: (question: Question) => Promise<Answer>,
    private readonly kept: number,
  ) {}

  /** @throws what `ask` throws; that is not kept. */
  get(question: Question): Promise<Answer> {
    const key = JSON.stringify(question);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const answer = this.ask(question);
    this.answers.set(key, answer);
    const forget = (): void => {
      this.answers.delete(key);
    };
    answer.then(() => setTimeout(forget, this.kept), forget);
    return answer;
  }
}
