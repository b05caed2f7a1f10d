/** What views use of Chart.js, built once for all of them: their scripts find it as `iolensCharts` (scripts/build.mjs). */
export {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from 'chart.js';
