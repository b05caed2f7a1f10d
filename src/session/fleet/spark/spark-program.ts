/** Marks the lines of the program's answer: Spark and its libraries write to standard output too. */
export const ANSWER_MARK = '\u0001iolens ';

/**
 * What Python runs: it makes the tables of a store views of Spark and answers queries one after the other. What it is given stands on standard
 * input, as SparkProgramInput.
 */
export const SPARK_PROGRAM = `
import sys
sys.path = [place for place in sys.path if place != '']
import datetime, decimal, json, os, re, time
os.environ['TZ'] = 'UTC'
time.tzset()
given = json.load(sys.stdin)

def say(**what):
    sys.stdout.write('\\n\\x01iolens ' + json.dumps(what) + '\\n')
    sys.stdout.flush()

def plain(value):
    if isinstance(value, datetime.datetime):
        text = value.strftime('%Y-%m-%d %H:%M:%S')
        return text + ('.%06d' % value.microsecond).rstrip('0').rstrip('.')
    if isinstance(value, (datetime.date, datetime.timedelta)):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2 ** 53:
        return str(value)
    if isinstance(value, float) and (value != value or value in (float('inf'), float('-inf'))):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return json.dumps(value, default=str)
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    return value

try:
    from pyspark.sql import SparkSession
except ImportError as problem:
    say(missing=str(problem))
    sys.exit(0)

try:
    builder = SparkSession.builder.appName('iolens')
    if given['master']:
        builder = builder.master(given['master'])
    settings = {
        'spark.ui.enabled': 'false',
        'spark.ui.showConsoleProgress': 'false',
        'spark.sql.session.timeZone': 'UTC',
        'spark.sql.ansi.enabled': 'false',
        'spark.sql.legacy.sizeOfNull': 'false',
        'spark.sql.parquet.inferTimestampNTZ.enabled': 'false',
        'spark.sql.sources.partitionColumnTypeInference.enabled': 'false',
    }
    if (given['master'] or '').startswith('local'):
        # Two hundred, as for a cluster, are far more than there are processors.
        settings['spark.sql.shuffle.partitions'] = '8'
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel('OFF')
    for table in given['tables']:
        reader = spark.read.schema(table['schema']).option('basePath', table['folder'])
        # Names may hold what a pattern is made of.
        files = [re.sub(r'([\\\\{}\\[\\]*?])', r'\\\\\\1', file) for file in table['files']]
        rows = reader.parquet(*files) if files else spark.createDataFrame([], table['schema'])
        rows.createOrReplaceGlobalTempView('stored_' + table['name'])
        for statement in table['views']:
            spark.sql(statement)
    for query in given['queries']:
        answer = spark.sql(query)
        say(columns=[{'name': field.name, 'type': field.dataType.simpleString()} for field in answer.schema.fields])
        rows = []
        for row in answer.toLocalIterator():
            rows.append([plain(value) for value in row])
            if len(rows) == 1000:
                say(rows=rows)
                rows = []
        say(rows=rows, done=True)
    spark.stop()
except Exception as problem:
    text = (getattr(problem, 'desc', None) or str(problem)).split('JVM stacktrace')[0]
    lines = [line for line in text.splitlines() if not re.match(r'\\s+at ', line)]
    say(failed='\\n'.join(lines).strip()[:4000])
`;
