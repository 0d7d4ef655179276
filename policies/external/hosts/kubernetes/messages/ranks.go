package messages

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Ranks is a set of ranks, in order, as the messages spell them: single ones and closed ranges,
// [[0, 3], 6].
type Ranks []uint32

// UnmarshalJSON reads the spelling.
func (ranks *Ranks) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	*ranks = nil
	for _, part := range parts {
		var one uint32
		if json.Unmarshal(part, &one) == nil {
			*ranks = append(*ranks, one)
			continue
		}
		var ends [2]uint32
		if err := json.Unmarshal(part, &ends); err != nil || ends[0] > ends[1] {
			return fmt.Errorf("no ranks: %s", part)
		}
		for rank := ends[0]; rank <= ends[1]; rank++ {
			*ranks = append(*ranks, rank)
		}
	}
	slices.Sort(*ranks)
	*ranks = slices.Compact(*ranks)
	return nil
}

// MarshalJSON writes the shortest spelling.
func (ranks Ranks) MarshalJSON() ([]byte, error) {
	parts := []any{}
	for at := 0; at < len(ranks); {
		end := at + 1
		for end < len(ranks) && ranks[end] == ranks[end-1]+1 {
			end++
		}
		if end == at+1 {
			parts = append(parts, ranks[at])
		} else {
			parts = append(parts, [2]uint32{ranks[at], ranks[end-1]})
		}
		at = end
	}
	return json.Marshal(parts)
}

// Range is the set of ranks from first on that are below end.
func Range(first, end uint32) Ranks {
	ranks := Ranks{}
	for rank := first; rank < end; rank++ {
		ranks = append(ranks, rank)
	}
	return ranks
}
