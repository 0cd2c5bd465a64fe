//! Weighted isotonic regression by pooling adjacent violators (Ayer et al. 1955).

/// A run of neighbours that share one value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pool {
    pub(crate) weight: f64,
    pub(crate) value: f64,
    pub(crate) count: usize,
}

/// Appends one item; `pools` stays the regression of all items so far, its values strictly rising.
pub(crate) fn push(pools: &mut Vec<Pool>, weight: f64, value: f64) {
    let mut pool = Pool {
        weight,
        value,
        count: 1,
    };
    while let Some(last) = pools.last() {
        if last.value < pool.value {
            break;
        }
        let weight = last.weight + pool.weight;
        // Equal values must stay equal to the last bit: a weighted mean of two equal numbers may not be.
        let value = if last.value == pool.value {
            pool.value
        } else {
            last.value + (pool.value - last.value) * (pool.weight / weight)
        };
        pool = Pool {
            weight,
            value,
            count: last.count + pool.count,
        };
        pools.pop();
    }
    pools.push(pool);
}
